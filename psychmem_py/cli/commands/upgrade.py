"""psychmem setup upgrade: the newest state of the checkout, installed; says from what to what."""

from __future__ import annotations

from psychmem_py.cli import output
from psychmem_py.cli.app import examples, setup
from psychmem_py.cli.context import DryRun, Json, workspace_of
from psychmem_py.cli.registered import registered
from psychmem_py.installation import registration, upgrading


@setup.command(epilog=examples("psychmem setup upgrade", "psychmem setup upgrade --dry-run"))
def upgrade(dry_run: DryRun = False, json_: Json = False) -> None:
    """Bring PsychMem to the newest state of the checkout it was installed from; your memories are copied before their schema changes."""
    workspace = workspace_of()
    folder, before = upgrading.source(workspace.env), upgrading.now()
    if not dry_run:
        upgrading.pulled(folder)
    after = upgrading.ahead(folder)
    if not dry_run:
        after = upgrading.put_in_place(folder)
        calling = [owner for owner, events in registered(workspace.env).items() if events]
        registration.register(calling, workspace.env, workspace.directories.data)
    if json_:
        told = {"from": before._asdict(), "to": after._asdict(), "checkout": str(folder), "dry_run": dry_run}
        return output.print_json(told)
    if before == after and before.commit:
        return output.say(f"PsychMem {before} is what {folder} holds; nothing became newer.")
    what = "would become" if dry_run else "became"
    output.say(f"PsychMem {before} {what} {after}, from {folder}{' as it stands, before git pull' if dry_run else ''}.")
