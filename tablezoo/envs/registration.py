"""Gymnasium ids of all games; importing this module registers them."""

import gymnasium

from tablezoo.games import ZOO

for spec in ZOO:
    gymnasium.register(
        spec.env_id,
        entry_point="tablezoo.envs.single:TablesEnv",
        vector_entry_point="tablezoo.envs.vector:TablesVectorEnv",
        kwargs={"game": spec.name},
    )
