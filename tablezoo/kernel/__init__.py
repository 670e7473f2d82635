"""The rules as numba kernels over board rows."""
