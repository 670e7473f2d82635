"""The games the zoo was founded on."""

from tablezoo.games.spec import STANDARD, Spec

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

OFANFELLING = Spec(
    name="ofanfelling",
    summary="six points a side: every upper man down, up again, then all borne off; a doublet throws again",
    start=tuple((point, 2) for point in range(6, 0, -1)),
    kind="unstack",
    aliases=("ofanfellingartafl",),
    family="unstacking",
    region="Iceland",
    sources=("W. Fiske, Chess in Iceland and in Icelandic Literature, 1905, p. 353", "DLP.Evidence.1558 (ludii.games)"),
)

WIDDERSHINS = Spec(
    name="widdershins",
    summary="a Celtic cross of two bars and a circle walked one way: capture to score, five pieces scored win",
    kind="cross",
    aliases=("withershins",),
    family="cross",
    region="United States",
    sources=("Craig O'Brien, Widdershins, Mad Scientist Games, 1999; the board is a reconstruction",),
    certainty="medium",
)
