"""Games that begin with an empty board: checkers enter before they race."""

from tablezoo.games.spec import Spec

COMPLEMENT = {"doubles": "complement"}

DUTCH = Spec(
    name="dutch",
    summary="all checkers enter first; no hit before one has come home",
    options={"enter_hand_first": True, "hit_needs_home": True},
    aliases=("dutch-backgammon",),
    family="entering",
    region="western rule books",
    sources=("https://play65.com/Dutch-backgammon.html", "https://backgammonmoments.com/2011/wanna-play-like-the-dutch-try-this-bg-variant"),
    certainty="medium",
    hand=15,
)

ACEY_DEUCEY_AMERICAN = Spec(
    name="acey-deucey-american",
    summary="checkers enter when you like; 2-1 brings a double of your choice and another throw",
    options={"acey_deucey": True, "scoring": "single"},
    aliases=("acey-deucey",),
    family="entering",
    region="US Navy, 20th century",
    sources=("https://en.wikipedia.org/wiki/Acey-deucey", "https://www.itavli.com/rules-of-acey-deucey"),
    hand=15,
)

ACEY_DEUCEY_EUROPEAN = Spec(
    name="acey-deucey-european",
    summary="acey-deucey in which every double brings its complement and another throw",
    options={"acey_deucey": True, "scoring": "single", **COMPLEMENT},
    family="entering",
    region="Europe",
    sources=("https://www.backgammon-play.net/VariationAceyDeuceyEuropean.htm", "https://www.itavli.com/rules-of-acey-deucey"),
    certainty="medium",
    hand=15,
)

RUSSIAN = Spec(
    name="russian",
    summary="both enter in one corner and go the same way; doubles bring their complement and another throw",
    options={"movement": "same", "enter_hand_first": True, "scoring": "gammon", **COMPLEMENT},
    aliases=("russian-backgammon",),
    family="entering",
    region="western rule books, 19th century",
    sources=("https://www.bkgm.com/variants/RussianBackgammon.html",),
    certainty="medium",
    hand=15,
)

TABULA = Spec(
    name="tabula",
    summary="three dice, one corner, one way round",
    options={"movement": "same", "doubles": "once", "larger_die": False, "scoring": "single", "opening": "rolloff_reroll"},
    aliases=("tavli-of-zeno", "alea"),
    family="entering",
    region="Rome, Byzantium",
    sources=("Agathias, Palatine Anthology IX 482", "https://a4games.company/tabula-rules-route-and-layout (R. C. Bell's rules)"),
    certainty="medium",
    hand=15,
    dice=3,
)
