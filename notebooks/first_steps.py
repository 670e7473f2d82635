# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
# ---
# %% [markdown]
# # First steps
# Open this file as a notebook (Jupyter with jupytext, VS Code, PyCharm) or run it as a program.

# %%
import gymnasium

import tablezoo
from experiments.duel import duel
from tablezoo.agent import load_agent

game = tablezoo.game("backgammon")
pos = game.start()
print(pos)

# %% [markdown]
# Chance is explicit: a position is a roll node, a play node or over.

# %%
print(pos.node, pos.chances()[:3])
node = pos.rolled((3, 1))
print([play.text for play in node.plays()])

# %%
after = node.play("8/5 6/5").after
print(after.text, after.gnubg_id, after.xgid, sep="\n")

# %% [markdown]
# Anyone who can value positions is an agent, and duels use the same dice twice with the seats swapped.

# %%
result = duel(game, load_agent("pubeval", game), load_agent("random", game), games=1000, seed=1)
print(f"pubeval against random: {result.ppg:+.3f} ± {result.se:.3f} points a game")

# %% [markdown]
# The same game as a Gymnasium environment.

# %%
env = gymnasium.make("tablezoo/Backgammon-v0", opponent="pubeval", action_mode="plays")
env.action_space.seed(1)
observation, info = env.reset(seed=1)
done = False
while not done:
    action = env.action_space.sample(mask=info["action_mask"])
    observation, reward, done, _, info = env.step(action)
print("points:", reward)
