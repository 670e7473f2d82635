"""Games without hits: one checker closes a point, and the art is to build and to pass walls."""

from tablezoo.games.pinning import ALL_BACK
from tablezoo.games.spec import Spec

RUNS = {"block": "1", "blot": "none", "opening": "rolloff_reroll", "scoring": "gammon", "next_starter": "winner"}

FEVGA = Spec(
    name="fevga",
    summary="a runner goes first; no wall on the own starting table, and a wall behind which all are stuck must open",
    start=ALL_BACK,
    options={**RUNS, "movement": "parallel", "runner": "past_start", "prime": "fevga"},
    aliases=("fevgha",),
    family="running",
    region="Greece",
    sources=("https://brainking.com/en/GameRules?tp=111", "http://www.fibs.com/~cthulhu/boardgame/en/rules_moultezim.html"),
)

MOULTEZIM = Spec(
    name="moultezim",
    summary="a runner goes first; at most four points of the enemy's starting table",
    start=ALL_BACK,
    options={**RUNS, "movement": "parallel", "runner": "past_start", "points_limit": "enemy_start"},
    family="running",
    region="Turkey",
    sources=("http://www.fibs.com/~cthulhu/boardgame/en/rules_moultezim.html", "https://threemountaingames.com/backgammon-variant-moultezim"),
)

LONG_NARDE = Spec(
    name="long-narde",
    summary="one checker a turn leaves the head; a wall of six only with an enemy ahead of it",
    start=ALL_BACK,
    options={**RUNS, "movement": "parallel", "head_limit": "1", "head_first": "3-4-6", "prime": "ahead"},
    aliases=("narde", "dlinnye-nardy", "long-nardy", "nardy"),
    family="running",
    region="Russia, Caucasus",
    sources=("https://help.igrafan.ru/help/nardid.html", "https://setupgroup.com/xo/narde.php"),
)

TAWLA_31 = Spec(
    name="tawla-31",
    summary="contrary ways; a runner goes home first; a game counts the checkers left, to 31",
    start=ALL_BACK,
    options={**RUNS, "runner": "home", "scoring": "men_left", "next_starter": "roll"},
    aliases=("mughrabieh", "tawla", "maghribiyya"),
    family="running",
    region="Egypt, Levant",
    sources=("https://mahbuse.com/rules/tawla31.html", "DLP via https://ludii.games"),
)

JACQUET = Spec(
    name="jacquet",
    summary="a courier must reach the last quarter first",
    start=ALL_BACK,
    options={**RUNS, "movement": "parallel", "runner": "home", "opening": "rolloff_use_dice", "next_starter": "roll"},
    aliases=("courier",),
    family="running",
    region="France 1800-1960",
    sources=("http://www.geocities.ws/jeux-oublies/jacquet.htm", "https://en.wikipedia.org/wiki/Jacquet_(game)"),
    certainty="medium",
)

ESCALATES = {"doubles": "escalate"}

GUL_BARA = Spec(
    name="gul-bara",
    summary="after three turns a doublet goes on through all higher ones",
    start=ALL_BACK,
    options={**RUNS, **ESCALATES, "movement": "parallel", "plain_doubles_turns": "3"},
    aliases=("rosespring", "rose-spring"),
    family="running",
    region="Bulgaria, North Macedonia, Azerbaijan",
    sources=("https://en.wikipedia.org/wiki/Gul_bara", "https://www.itavli.com/games"),
    certainty="medium",
)

GIOUL = Spec(
    name="gioul",
    summary="contrary ways; doublets go on through all higher ones, and what you cannot play your opponent plays",
    start=ALL_BACK,
    options={**RUNS, **ESCALATES, "unused": "opponent"},
    aliases=("gul", "giul"),
    family="running",
    region="Turkey, Middle East",
    sources=("https://backgammon.help/gioul-variations-of-backgammon", "https://www.itavli.com/games"),
    certainty="medium",
)
