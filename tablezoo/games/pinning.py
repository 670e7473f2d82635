"""Games in which a lone checker is not hit but pinned where it stands."""

from tablezoo.games.spec import Spec

ALL_BACK = ((24, 15),)
PINS = {"blot": "pin", "opening": "rolloff_reroll", "next_starter": "winner", "scoring": "gammon", "mother": "pinner_home"}

PLAKOTO = Spec(
    name="plakoto",
    summary="pin blots; a mother pinned on her start point loses double",
    start=ALL_BACK,
    options={**PINS},
    family="pinning",
    region="Greece, Cyprus",
    sources=("http://www.fibs.com/~cthulhu/boardgame/en/rules_plakoto.html", "https://mahbuse.com/rules.html"),
)

TAPA = Spec(
    name="tapa",
    summary="Plakoto as the third game of a Bulgarian match",
    start=ALL_BACK,
    options={**PINS},
    family="pinning",
    region="Bulgaria, North Macedonia",
    sources=("https://en.wikipedia.org/wiki/Tapa_(game)",),
)

MAHBOUSEH = Spec(
    name="mahbouseh",
    summary="pin blots; no mother; a game counts the checkers left, to 31",
    start=ALL_BACK,
    options={**PINS, "mother": "none", "scoring": "men_left", "next_starter": "roll"},
    aliases=("mahbusa", "mahbuse", "hapis"),
    family="pinning",
    region="Syria, Lebanon, Egypt, Turkey",
    sources=("https://mahbuse.com/rules.html", "DLP via https://ludii.games"),
)
