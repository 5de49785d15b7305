"""The SDK's own client, talking to the real `psychmem mcp` over stdio."""

import json
import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from psychmem_py.home import config
from psychmem_py.home.project import project_of
from psychmem_py.installation.registration import Tools
from psychmem_py.mcp_door.desk import Desk, Library
from psychmem_py.mcp_door.server import complete

COMMAND = "import sys; from psychmem_py.cli import main; sys.argv[0] = 'psychmem'; main()"
Talk = Callable[[Client], Awaitable[None]]


def parameters(project: Path, *arguments: str, **env: str) -> StdioServerParameters:
    """How a client in `project` starts the server."""
    words, around = ["-c", COMMAND, "mcp", *arguments], {**os.environ, **env}
    return StdioServerParameters(command=sys.executable, args=words, env=around, cwd=str(project))


def talk(server: StdioServerParameters, conversation: Talk) -> None:
    """One whole conversation with a server of its own."""

    async def run() -> None:
        async with Client(server) as client:
            await conversation(client)

    anyio.run(run)


def talk_here(project: Path, conversation: Talk, tools: Tools = Tools.ALL) -> None:
    """The same in this process: that it starts and speaks over stdio is looked at in two conversations with the six."""
    here = project_of(str(project), os.environ)
    assert here
    desk = Desk(os.environ, config.load(os.environ), here, "", f"mcp-{uuid4().hex}", [], [], Library(here.root))

    async def run() -> None:
        async with Client(complete(desk, tools)) as client:
            await conversation(client)

    anyio.run(run)


def told(test: Callable[..., Awaitable[None]], tools: Tools = Tools.ALL) -> Callable[..., None]:
    """A test that is a conversation with a server in this process: it is given the client beside `project`."""

    def spoken(project: Path) -> None:
        talk_here(project, lambda client: test(client, project), tools)

    spoken.__name__, spoken.__doc__ = test.__name__, test.__doc__
    return spoken


told_six = partial(told, tools=Tools.SIX)


def text(result: CallToolResult) -> str:
    """What a tool printed."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool tells, read from its JSON; an error fails the test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    return json.loads(text(result))


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """The sentence a tool refuses with."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text(result)
