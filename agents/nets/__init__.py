"""Value nets: the torch definition, numba inference and learning, weights that ship."""
