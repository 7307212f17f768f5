"""Connects to an MCP server by OAuth with the stock SDK: writes the address for the browser, reads where it came back."""

import asyncio
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import ClientSession
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

ADDRESS, REDIRECT = sys.argv[1:]


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def send_browser(url):
    print(url, flush=True)


async def came_back():
    line = await asyncio.to_thread(sys.stdin.readline)
    said = {name: values[0] for name, values in parse_qs(urlparse(line.strip()).query).items()}
    return AuthorizationCodeResult(**said)


async def main():
    metadata = OAuthClientMetadata(client_name="A Python client", redirect_uris=[REDIRECT])
    auth = OAuthClientProvider(ADDRESS, metadata, Memory(), send_browser, came_back)
    async with httpx2.AsyncClient(auth=auth, follow_redirects=True) as http:
        async with streamable_http_client(ADDRESS, http_client=http) as (read, write, *_):
            async with ClientSession(read, write) as session:
                await session.initialize()
                found = await session.call_tool("list_transcripts", {})
                print(found.content[0].text, flush=True)


asyncio.run(main())
