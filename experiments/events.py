"""TensorBoard's event files, written at once and in this thread: nothing is lost when the process is killed, and a full disk is named.

The summaries are put together from TensorBoard's own protocol buffers, so that a training need not import torch.
"""

import io
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.plugins.hparams import metadata as hparams
from tensorboard.plugins.hparams.api_pb2 import DataType, Experiment, HParamInfo, MetricInfo, MetricName
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData, SessionStartInfo
from tensorboard.summary.writer.record_writer import RecordWriter

from agents.nets.files import unwritable

PREFIX = "events.out.tfevents."
Settings = Mapping[str, bool | int | float | str]


class Events:
    """A new event file of a run, after those that it has."""

    def __init__(self, folder: Path, purge: int | None = None) -> None:
        """Begin the file.

        Args:
            folder: of the run.
            purge: a step from which on earlier files do not count, if there are any.
        """
        earlier = [int(path.name.removeprefix(PREFIX).split(".")[0]) for path in folder.glob(f"{PREFIX}[0-9]*")]
        number = max([int(time.time()), *(before + 1 for before in earlier)])  # TensorBoard reads the files in the order of their names
        self.path = folder / f"{PREFIX}{number:010d}.tablezoo"
        self._file = self.path.open("wb")
        self._writer = RecordWriter(self._file)
        self._write(Event(wall_time=time.time(), file_version="brain.Event:2"))
        if purge is not None:
            self._write(Event(wall_time=time.time(), step=purge, session_log=SessionLog(status=SessionLog.START)))

    def _write(self, event: Any) -> None:
        try:
            self._writer.write(event.SerializeToString())
            self._file.flush()
        except OSError as error:
            raise unwritable(self.path, error) from None

    def _add(self, step: int, **value: Any) -> None:
        self._write(Event(wall_time=time.time(), step=step, summary=Summary(value=[Summary.Value(**value)])))

    def scalar(self, tag: str, value: float, step: int) -> None:
        """A number at a step."""
        self._add(step, tag=tag, simple_value=value)

    def picture(self, tag: str, picture: NDArray[np.uint8], step: int) -> None:
        """A picture (height, width, 3) at a step."""
        png = io.BytesIO()
        Image.fromarray(picture).save(png, "png")
        height, width, _ = picture.shape
        self._add(step, tag=tag, image=Summary.Image(height=height, width=width, colorspace=3, encoded_image_string=png.getvalue()))

    def settings(self, settings: Settings, goals: Iterable[str]) -> None:
        """Hyper-parameters, beside the scalars that are to be read with them; and as a text."""
        infos = [HParamInfo(name=key, type=DataType.Value(_type(value))) for key, value in settings.items()]
        experiment = Experiment(hparam_infos=infos, metric_infos=[MetricInfo(name=MetricName(tag=goal)) for goal in goals])
        begun = SessionStartInfo(start_time_secs=time.time())
        for key, value in settings.items():
            setattr(begun.hparams[key], {"DATA_TYPE_BOOL": "bool_value", "DATA_TYPE_STRING": "string_value"}.get(_type(value), "number_value"), value)
        for tag, content in ((hparams.EXPERIMENT_TAG, {"experiment": experiment}), (hparams.SESSION_START_INFO_TAG, {"session_start_info": begun})):
            data = HParamsPluginData(version=hparams.PLUGIN_DATA_VERSION, **content).SerializeToString()
            self._add(0, tag=tag, metadata=_shown_by(hparams.PLUGIN_NAME, data), tensor=hparams.NULL_TENSOR)
        text = "\n".join(f"    {key} = {value}" for key, value in settings.items())
        self._add(0, tag="config/text_summary", metadata=_shown_by("text", b""), tensor=TensorProto(dtype="DT_STRING", string_val=[text.encode()]))

    def close(self) -> None:
        """Close the file; whatever could not be written has been complained about."""
        with suppress(OSError):
            self._file.close()


def _type(value: bool | int | float | str) -> str:
    return "DATA_TYPE_BOOL" if isinstance(value, bool) else "DATA_TYPE_STRING" if isinstance(value, str) else "DATA_TYPE_FLOAT64"


def _shown_by(plugin: str, content: bytes) -> Any:
    return SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=plugin, content=content))
