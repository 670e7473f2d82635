"""sb3-contrib's MaskablePPO on the single-agent view of a game.

`python -m experiments.examples.maskable_ppo --env-id tablezoo/Hypergammon-v0 --minutes 10`
"""

from pathlib import Path
from typing import Any

import cyclopts
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import tablezoo  # noqa: F401 - registers the games
from experiments.examples.curve import Curve


def main(
    *,
    env_id: str = "tablezoo/Hypergammon-v0",
    opponent: str = "random",
    minutes: float = 10,
    seed: int = 1,
    envs: int = 16,
    points: int = 10,
    pairs: int = 500,
    threads: int = 2,
    out: Path = Path("runs/examples/maskable_ppo"),
) -> None:
    """Learn against an opponent, and measure the policy against it so many times on the way."""
    torch.set_num_threads(threads)
    games = make_vec_env(env_id, envs, seed=seed, env_kwargs={"opponent": opponent})
    model = MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=256,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        learning_rate=1e-3,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )

    def act(_: Any, observations: NDArray[np.float32], infos: dict[str, Any]) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = model.predict(observations, action_masks=infos["action_mask"].astype(bool), deterministic=True)[0]
        return actions

    curve = Curve(out, env_id, opponent, pairs, learner="MaskablePPO", seed=seed, threads=threads)
    curve.measure(0, act)
    for k in range(1, points + 1):
        while curve.seconds < k * minutes * 60 / points:
            model.learn(model.n_steps * envs, reset_num_timesteps=False)
        curve.measure(model.num_timesteps, act)


if __name__ == "__main__":
    cyclopts.run(main)
