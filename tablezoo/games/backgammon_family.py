"""Close relatives of backgammon: other starts, openings, doublets and stakes."""

from tablezoo.games.spec import STANDARD, Spec

TAVLA = Spec(
    name="tavla",
    summary="no hit and run at home; the opening winner throws anew; 1 or 2 points",
    start=STANDARD,
    options={"opening": "rolloff_reroll", "hit_and_run": "forbidden", "scoring": "gammon", "next_starter": "winner"},
    aliases=("erkek-tavlasi",),
    region="Turkey",
    sources=("https://en.wikipedia.org/wiki/Tavla", "https://www.backgammon-game.eu/game_tavla_takhteh.html"),
)

PORTES = Spec(
    name="portes",
    summary="the opening winner throws anew and winners begin; 1 or 2 points",
    start=STANDARD,
    options={"opening": "rolloff_reroll", "scoring": "gammon", "next_starter": "winner"},
    aliases=("frangieh", "shesh-besh", "short-narde", "korotkie-nardy"),
    region="Greece, Levant, Egypt",
    sources=("http://www.fibs.com/~cthulhu/boardgame/en/rules_plakoto.html", "DLP via https://ludii.games"),
)

NACKGAMMON = Spec(
    name="nackgammon",
    summary="backgammon with two more checkers back, from 13 and 6",
    start=((24, 2), (23, 2), (13, 4), (8, 3), (6, 4)),
    aliases=("nack",),
    sources=("https://dailygammon.com/help/nack.html",),
)

HYPERGAMMON = Spec(
    name="hypergammon",
    summary="backgammon with three checkers a side",
    start=((24, 1), (23, 1), (22, 1)),
    aliases=("hyper", "hyper-backgammon", "3-checker-hypergammon"),
    sources=("GNU Backgammon, set variation 3-chequer-hypergammon",),
)

LONGGAMMON = Spec(
    name="longgammon",
    summary="backgammon from fifteen checkers on the 24-point",
    start=((24, 15),),
    aliases=("long-gammon",),
    sources=("t_games by Craig O'Brien, https://github.com/ichabod801/t_games",),
)

IRISH = Spec(
    name="irish",
    summary="doublets are two moves, a win is a win",
    start=STANDARD,
    options={"doubles": "once", "scoring": "single"},
    aliases=("todas-tablas", "toutes-tables"),
    region="Europe 1283-1750",
    sources=("https://jducoeur.org/game-hist/game-recon-irish.html", "C. Cotton, The Compleat Gamester, 1674"),
)
