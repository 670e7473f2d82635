"""PPO by self-play in one file, on `gymnasium.make_vec`.

`python -m experiments.examples.ppo --env-id tablezoo/Backgammon-v0 --minutes 10`

After CleanRL's ppo.py (Huang et al., "CleanRL", JMLR 23, 2022; Schulman et al., arXiv:1707.06347), with masked actions. One net
acts for both players: a value is that of whoever acts, so that what follows counts negatively where `to_move` changes.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cyclopts
import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import tablezoo  # noqa: F401 - registers the games
from experiments.examples.curve import Curve


@cyclopts.Parameter(name="*")
@dataclass(frozen=True)
class Args:
    """Settings."""

    env_id: str = "tablezoo/Backgammon-v0"
    minutes: float = 10
    """Wall time of learning."""
    seed: int = 1
    num_envs: int = 256
    num_steps: int = 64
    """Actions in each environment between updates."""
    learning_rate: float = 1e-3
    """At first; it falls to 0."""
    gae_lambda: float = 0.95
    num_minibatches: int = 8
    update_epochs: int = 3
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    hidden: int = 128
    reward_scale: float = 1 / 3
    threads: int = 2
    points: int = 10
    """Measurements on the way."""
    pairs: int = 500
    """Mirrored pairs of games of each."""
    out: Path = field(default=Path("runs/examples/ppo"))


DEFAULTS = Args()


class Player(nn.Module):
    """Actor and critic."""

    def __init__(self, inputs: int, actions: int, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.actor, self.critic = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities (n, actions), -inf where an action is illegal, and values (n,)."""
        body = self.body(observations)
        logits = self.actor(body).masked_fill(~masks, -torch.inf)
        return torch.log_softmax(logits, dim=1), self.critic(body).squeeze(1)


def entropy(log_probs: Tensor) -> Tensor:
    """Entropy of each distribution, illegal actions left out."""
    return -(log_probs.exp() * log_probs.masked_fill(log_probs == -torch.inf, 0)).sum(dim=1)


def advantages_of(rewards: Tensor, values: Tensor, ends: Tensor, signs: Tensor, lam: float) -> Tensor:
    """Generalised advantages of a game for two, without discount.

    Aₜ = rₜ + sₜ Vₜ₊₁ - Vₜ + λ sₜ Aₜ₊₁, where sₜ is 1 if the same player acts next, -1 if the other does, and 0 at the end of a game.

    Args:
        rewards: (steps, n), of whoever acted.
        values: (steps + 1, n).
        ends: (steps, n), whether the game ended with that action.
        signs: (steps, n), 1 or -1.
        lam: λ.
    """
    after = signs * ~ends
    advantages = torch.zeros_like(values)
    for t in range(len(rewards) - 1, -1, -1):
        advantages[t] = rewards[t] + after[t] * (values[t + 1] + lam * advantages[t + 1]) - values[t]
    return advantages[:-1]


def main(args: Args = DEFAULTS) -> None:
    """Learn, and measure the policy against `random` on the way."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    envs = gymnasium.make_vec(args.env_id, num_envs=args.num_envs, autoreset_mode="SAME_STEP", threads=args.threads)
    space, actions = envs.single_observation_space, envs.single_action_space
    assert isinstance(space, gymnasium.spaces.Box) and isinstance(actions, gymnasium.spaces.Discrete)  # noqa: PT018
    player = Player(space.shape[0], int(actions.n), args.hidden)
    optimizer = torch.optim.Adam(player.parameters(), lr=args.learning_rate, eps=1e-5)

    def act(_: Any, observations: NDArray[np.float32], infos: dict[str, Any]) -> NDArray[np.int64]:
        with torch.no_grad():
            logits, _ = player(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]).bool())
        best: NDArray[np.int64] = logits.argmax(dim=1).numpy()
        return best

    curve = Curve(args.out, args.env_id, "random", args.pairs, learner="PPO", seed=args.seed, threads=args.threads)
    curve.measure(0, act)
    shape = (args.num_steps, args.num_envs)
    seen, masks = torch.zeros((*shape, *space.shape)), torch.zeros((*shape, int(actions.n)), dtype=torch.bool)
    taken, log_probs = torch.zeros(shape, dtype=torch.long), torch.zeros(shape)
    rewards, ends, signs, values = (
        torch.zeros(shape),
        torch.zeros(shape, dtype=torch.bool),
        torch.zeros(shape),
        torch.zeros((args.num_steps + 1, args.num_envs)),
    )
    observations, infos = envs.reset(seed=args.seed)
    steps, measured = 0, 1
    while curve.seconds < args.minutes * 60:
        optimizer.param_groups[0]["lr"] = args.learning_rate * max(1 - curve.seconds / (args.minutes * 60), 0.01)
        for t in range(args.num_steps):
            seen[t], masks[t] = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])
            with torch.no_grad():
                logits, values[t] = player(seen[t], masks[t])
            taken[t] = torch.multinomial(logits.exp(), 1).squeeze(1)
            log_probs[t] = logits.gather(1, taken[t, :, None]).squeeze(1)
            movers = infos["to_move"]
            observations, points, terminated, truncated, infos = envs.step(taken[t].numpy())
            rewards[t], ends[t] = torch.from_numpy(points) * args.reward_scale, torch.from_numpy(terminated | truncated)
            signs[t] = torch.from_numpy(np.where(infos["to_move"] == movers, 1.0, -1.0))
        with torch.no_grad():
            values[-1] = player(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]).bool())[1]
        steps += args.num_steps * args.num_envs
        advantages = advantages_of(rewards, values, ends, signs, args.gae_lambda)
        returns = advantages + values[:-1]
        batch = [part.flatten(0, 1) for part in (seen, masks, taken, log_probs, advantages, returns)]
        for _ in range(args.update_epochs):
            for chosen in torch.randperm(len(batch[0])).chunk(args.num_minibatches):
                update(player, optimizer, [part[chosen] for part in batch], args)
        if curve.seconds >= measured * args.minutes * 60 / args.points:
            curve.measure(steps, act)
            measured += 1
    envs.close()


def update(player: Player, optimizer: torch.optim.Optimizer, batch: list[Tensor], args: Args) -> None:
    """One step of clipped policy optimisation on a minibatch."""
    seen, masks, taken, old, advantages, returns = batch
    logits, values = player(seen, masks)
    ratio = (logits.gather(1, taken[:, None]).squeeze(1) - old).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    policy_loss = torch.max(-advantages * ratio, -advantages * ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)).mean()
    value_loss = 0.5 * (values - returns).square().mean()
    loss = policy_loss + args.vf_coef * value_loss - args.ent_coef * entropy(logits).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(player.parameters(), args.max_grad_norm)
    optimizer.step()


if __name__ == "__main__":
    cyclopts.run(main)
