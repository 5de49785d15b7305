"""psychmem config: every setting with its value and where it comes from."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import UPKEEP, app, examples, group
from psychmem_py.cli.context import Json, here
from psychmem_py.home import config
from psychmem_py.home.places import config_file

settings = group("The settings in force.")
app.add_typer(settings, name="config", rich_help_panel=UPKEEP)


@settings.command("show", epilog=examples("psychmem config show --origin"))
def show_settings(
    origin: Annotated[bool, typer.Option("--origin", help="Say where each value comes from.")] = False, json_: Json = False
) -> None:
    """Every setting with its value."""
    place = here()
    found = config.origins(place.env)
    if json_:
        return output.print_json([one._asdict() for one in found])
    for one in found:
        value = f'"{one.value}"' if isinstance(one.value, str) else "none" if one.value is None else str(one.value).lower()
        output.say(f"{one.key} = {value}{f'    # {one.origin}' if origin else ''}")


@settings.command("path", epilog=examples("psychmem config path"))
def path() -> None:
    """Where the config file is, or would be."""
    output.say(config_file(here().env))
