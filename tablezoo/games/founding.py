"""The games the zoo was founded on."""

from tablezoo.games.spec import Spec

STANDARD = ((24, 2), (13, 5), (8, 3), (6, 5))

BACKGAMMON = Spec(
    name="backgammon",
    summary="the standard game: roll-off dice are played, both numbers if possible, else the larger; 1, 2 or 3 points",
    start=STANDARD,
    aliases=("bg", "standard-backgammon"),
    sources=("https://bkgm.com/rules.html",),
)

SIMPLE_BACKGAMMON = Spec(
    name="simple-backgammon",
    summary="white throws first, play on while any number can be played, a win is a win",
    start=STANDARD,
    options={"opening": "white_first", "forced_use": "greedy", "larger_die": False, "scoring": "single"},
    aliases=("plain-backgammon",),
    sources=("the founding text of this project",),
)

TAKHTEH = Spec(
    name="takhteh",
    summary="no hit and run at home, no pips wasted bearing off, the opening winner throws anew; 1 or 2 points",
    start=STANDARD,
    options={"opening": "rolloff_reroll", "hit_and_run": "forbidden", "waste_pips": "no_small_first", "scoring": "gammon", "next_starter": "winner"},
    aliases=("takhte-nard", "takhteh-nard"),
    region="Iran",
    sources=("the founding text of this project", "Bruce Scott, rec.games.backgammon, 13 March 2003 (bkgm.com/rgb)"),
)
