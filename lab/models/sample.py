"""Speaks the sample note of new accounts: writes its recordings, and the times of its words into texts.json.

Run from the repository's root after a change of the texts; needs espeak-ng and ffmpeg.
"""

import ctypes
import json
import math
import struct
import subprocess
from pathlib import Path

FOLDER = Path('services/transcription/src/pages/sample')
VOICES = {'en': 'en-us', 'es': 'es-419', 'pt': 'pt-br'}
SPEAKERS = {'1': ('+f3', 60), '2': ('+m3', 40)}  # Timbre and pitch.
WORDS_A_MINUTE = 150
BEFORE, BETWEEN, TURN, AFTER = 0.2, 0.3, 0.5, 0.3  # Seconds of silence.


class Event(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ('type', 'uid', 'place', 'length', 'ms', 'sample')),
        ('user', ctypes.c_void_p),
        ('id', ctypes.c_char * 8),
    ]


espeak = ctypes.CDLL('libespeak-ng.so.1')
RATE = espeak.espeak_Initialize(2, 0, None, 0)
samples, begun = [], []


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
def heard(wave, count, events):
    samples.extend(wave[:count] if wave else [])
    while events[0].type != 0:
        if events[0].type == 1:
            begun.append((events[0].place - 1, events[0].ms / 1000))
        events = ctypes.cast(ctypes.byref(events[1]), ctypes.POINTER(Event))
    return 0


espeak.espeak_SetSynthCallback(heard)


def say(text, language, speaker):
    """Returns the samples, and when each word begins."""
    samples.clear()
    begun.clear()
    timbre, pitch = SPEAKERS[speaker]
    assert espeak.espeak_SetVoiceByName((VOICES.get(language, language) + timbre).encode()) == 0
    espeak.espeak_SetParameter(1, WORDS_A_MINUTE, 0)
    espeak.espeak_SetParameter(3, pitch, 0)
    spoken = text.encode()
    espeak.espeak_Synth(spoken, len(spoken) + 1, 0, 1, 0, 1, None, None)
    espeak.espeak_Synchronize()
    while samples and abs(samples[-1]) < 100:
        samples.pop()
    times, end = [], 0
    for word in text.split():
        at = text.index(word, end)
        end = at + len(word)
        # A sign that stands alone is said with the word before it.
        times.append(next((time for place, time in begun if at <= place < end), times[-1] if times else 0))
    return list(samples), times


texts = json.loads((FOLDER / 'texts.json').read_text())
for language, sample in texts.items():
    audio, last = [0] * int(BEFORE * RATE), None
    for segment in sample['segments']:
        speaker = segment['speaker']
        if last:
            audio += [0] * int((BETWEEN if speaker == last else TURN) * RATE)
        last, start = speaker, len(audio) / RATE
        wave, times = say(segment.get('spoken', segment['text']), language, speaker)
        assert len(times) == len(segment['text'].split()) and times == sorted(times)
        segment['at'] = [round(start + time, 2) for time in [*times, len(wave) / RATE]]
        audio += wave
    audio += [0] * int(AFTER * RATE)
    sample['seconds'] = round(len(audio) / RATE, 2)
    parts = [audio[len(audio) * i // 100 : len(audio) * (i + 1) // 100] for i in range(100)]
    levels = [math.sqrt(sum(value * value for value in part) / len(part)) for part in parts]
    sample['levels'] = [round(level / max(levels), 2) for level in levels]
    raw = ['-f', 's16le', '-ar', str(RATE), '-ac', '1', '-i', '-', '-af', 'loudnorm=I=-18', '-ar', '24000']
    opus = ['-c:a', 'libopus', '-b:a', '16k', '-application', 'voip', '-map_metadata', '-1']
    target = FOLDER / 'recordings' / f'{language}.ogg'
    subprocess.run(
        ['ffmpeg', '-y', '-loglevel', 'error', *raw, *opus, str(target)],
        input=struct.pack(f'<{len(audio)}h', *audio),
        check=True,
    )
(FOLDER / 'texts.json').write_text(json.dumps(texts, ensure_ascii=False, indent=2) + '\n')
