"""Writes Pydantic.json, which the tests read: what pydantic makes of each field that docs/agents/schemas.md shows.

    python packages/params/test/models/pydantic_models.py, with pydantic 2 and email-validator
"""

import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, Optional, Union
from uuid import UUID

from pydantic import VERSION, AwareDatetime, BaseModel, EmailStr, Field, HttpUrl, SecretStr, WithJsonSchema

page = (Path(__file__).parents[4] / "docs/agents/schemas.md").read_text()
cells = [re.findall(r"`([^`]+)`", cell) for row in re.findall(r"^\| .* \|$", page, re.M) for cell in row.split(" | ")]
types = r"(?:Annotated\[|Optional\[|\w+: (?:int|str|date|UUID|\w+Url|\w+Str|\w+Datetime|Annotated|Optional|Union|Literal|list|tuple|dict)\b)"
made = {}
for cell in cells:
    for code in cell:
        if re.match(types, code):
            field = code if re.match(r"\w+: ", code) else f"field: {code}"
            exec(f"class Params(BaseModel):\n    {field}")
            made[code] = Params.model_json_schema()

text = json.dumps({"version": VERSION, "schemas": made}, indent=2)
(Path(__file__).parent / "Pydantic.json").write_text(text + "\n")
