"""Hears recordings with a peer: peers.py PEER MODEL BEAMS PATH... (see accuracy.ts)."""

import json
import os
import resource
import sys


def faster_whisper(weights, beams):
    from faster_whisper import WhisperModel

    model = WhisperModel(weights, device="cpu", compute_type="int8", cpu_threads=1)

    def hear(path):
        segments, _ = model.transcribe(path, beam_size=beams)
        return " ".join(segment.text for segment in segments)

    return hear


def whisper_cpp(weights, beams):
    from pywhispercpp.model import Model

    model = Model(weights, n_threads=1, language="auto", print_progress=False)

    def hear(path):
        return " ".join(segment.text for segment in model.transcribe(path))

    return hear


peer, weights, beams, *paths = sys.argv[1:]
hear = {"faster-whisper": faster_whisper, "whisper.cpp": whisper_cpp}[peer](weights, int(beams))
# The first one loads and warms what is loaded late.
hear(paths[0])
heard = []
for path in paths:
    before = sum(os.times()[:4])
    text = hear(path)
    heard.append({"text": text, "cpu": sum(os.times()[:4]) - before})
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
print("\n" + json.dumps({"heard": heard, "megabytes": megabytes}))
