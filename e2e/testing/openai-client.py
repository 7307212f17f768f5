"""Transcribes a file with OpenAI's own client: file, address, key. Prints what it gets, as JSON."""
import json, sys
from openai import OpenAI

path, base_url, api_key = sys.argv[1:]
client = OpenAI(api_key=api_key, base_url=base_url, max_retries=0)
answers = {}
for response_format in ("json", "text", "srt", "vtt", "verbose_json"):
    with open(path, "rb") as file:
        answer = client.audio.transcriptions.create(
            file=file, model="whisper-1", response_format=response_format, timestamp_granularities=["word", "segment"]
        )
    answers[response_format] = answer if isinstance(answer, str) else answer.model_dump()
with open(path, "rb") as file:
    events = client.audio.transcriptions.create(file=file, model="whisper-1", stream=True)
    answers["stream"] = [event.model_dump(include={"type", "text", "delta"}) for event in events]
with open(path, "rb") as file:
    events = client.audio.transcriptions.create(
        file=file, model="gpt-4o-transcribe-diarize", response_format="diarized_json", stream=True
    )
    answers["lines"] = [
        event.model_dump(include={"speaker", "text"}) for event in events if event.type == "transcript.text.segment"
    ]
print(json.dumps(answers))
