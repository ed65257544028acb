"""Anthropic's memory tool on a space: the model keeps its files as items, and every process and machine sees them.

tool = MemoryTool(mem.space("ana"))
client.beta.messages.tool_runner(model=…, messages=…, max_tokens=…, tools=[tool]).until_done()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anyio import to_thread

from aforesaid.aio import AsyncSpace
from aforesaid.errors import ConflictError, InvalidInput, NotFound, OnHold
from aforesaid.integrations.memory_files import MemoryFiles
from aforesaid.space import Space

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )
except ImportError as exc:
    raise ImportError('the Anthropic SDK is missing; pip install "aforesaid[anthropic]"') from exc

Namespace = str | Sequence[str]


def _told(call: Callable[[], str]) -> str:
    """What the model is told: a refusal, which it can act on, is a ToolError. A failure of the store stays one."""
    try:
        return call()
    except (InvalidInput, NotFound, ConflictError, OnHold) as error:
        raise ToolError(str(error)) from error


class MemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `Anthropic`. Its files are the items of a namespace of a space."""

    def __init__(
        self,
        space: Space,
        *,
        namespace: Namespace = "memories",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._files = MemoryFiles(space, namespace)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return _told(lambda: self._files.view(command.path, command.view_range))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return _told(lambda: self._files.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return _told(lambda: self._files.str_replace(command.path, command.old_str, command.new_str))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return _told(lambda: self._files.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return _told(lambda: self._files.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return _told(lambda: self._files.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        return _told(self._files.clear)


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The memory tool for `AsyncAnthropic`, on the space of a `Memory` or of an `AsyncMemory`. Each command runs in a
    worker thread."""

    def __init__(
        self,
        space: Space | AsyncSpace,
        *,
        namespace: Namespace = "memories",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = MemoryTool(space._plain if isinstance(space, AsyncSpace) else space, namespace=namespace)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await to_thread.run_sync(self._tool.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await to_thread.run_sync(self._tool.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await to_thread.run_sync(self._tool.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await to_thread.run_sync(self._tool.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await to_thread.run_sync(self._tool.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await to_thread.run_sync(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        return await to_thread.run_sync(self._tool.clear_all_memory)
