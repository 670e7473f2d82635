"""Games of our time on boards of their own."""

from tablezoo.games.spec import Spec

NANNON = Spec(
    name="nannon",
    summary="six points, three checkers, one die; neighbours protect each other",
    start=((6, 1), (5, 1)),
    hand=1,
    points=6,
    dice=1,
    options={"protect": "adjacent", "stack_limit": "1", "hit_to": "hand", "bear_off": "anytime", "scoring": "gammon"},
    family="small",
    region="United States 2004",
    sources=("https://nannon.com/rules.html",),
)
