"""A window that shows frames, for those who watch. It needs pygame."""

import numpy as np
from numpy.typing import NDArray


class Window:
    """A window of the size of the first frame shown in it."""

    def __init__(self, title: str) -> None:
        try:
            import pygame
        except ImportError:
            raise ImportError('render_mode="human" needs pygame: pip install pygame-ce') from None
        self._pygame = pygame
        self._title = title
        self._screen: pygame.Surface | None = None

    def show(self, frame: NDArray[np.uint8], frames_per_second: float) -> None:
        """Show a frame `uint8[height, width, 3]`, not sooner than the one before it may go."""
        if self._screen is None:
            self._pygame.display.init()
            self._pygame.display.set_caption(self._title)
            self._screen = self._pygame.display.set_mode(frame.shape[1::-1])
            self._clock = self._pygame.time.Clock()
        self._screen.blit(self._pygame.surfarray.make_surface(frame.swapaxes(0, 1)), (0, 0))
        self._pygame.event.pump()
        self._clock.tick(frames_per_second)
        self._pygame.display.flip()

    def close(self) -> None:
        """Close the window; another frame opens it again."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
