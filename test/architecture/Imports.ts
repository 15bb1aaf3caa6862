/** The imports of a TypeScript source, as a parser sees them. */
import { dirname, join } from "node:path/posix"
import { type ParseResult, parseSync, Visitor } from "oxc-parser"

export interface Import {
  /** What is imported, as written; null when it is computed at run time. */
  readonly specifier: string | null
  /** Whether only types are imported, so that nothing of it remains at run time. */
  readonly typesOnly: boolean
}

/** Every way one module can name another: imports, re-exports, `import()` and `import("…").Type`. */
export const importsOf = (file: string, text: string): ReadonlyArray<Import> => {
  const imports = known.get(text) ?? parsedImports(file, text)
  known.set(text, imports)
  return imports
}

/** By the text of the file: several rules ask for those of every file, and parsing takes seconds. */
const known = new Map<string, ReadonlyArray<Import>>()

const parsedImports = (file: string, text: string): ReadonlyArray<Import> => {
  const { program, errors } = parseSync(file, text)
  const error = errors[0]
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`)

  const imports: Array<Import> = []
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => {
      imports.push({ specifier: source.value, typesOnly: importKind === "type" })
    },
    ExportAllDeclaration: ({ source, exportKind }) => {
      imports.push({ specifier: source.value, typesOnly: exportKind === "type" })
    },
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source !== null) imports.push({ specifier: source.value, typesOnly: exportKind === "type" })
    },
    ImportExpression: ({ source }) => {
      const literal = source.type === "Literal" && typeof source.value === "string"
      imports.push({ specifier: literal ? source.value : null, typesOnly: false })
    },
    TSImportType: ({ source }) => {
      imports.push({ specifier: source.value, typesOnly: true })
    }
  }).visit(mayBeWithin(text) ? program : { ...program, body: program.body.filter(namesModule) })
  return imports
}

/** Whether something else than a statement of the file itself may import. */
const mayBeWithin = (text: string): boolean => /\bimport\s*\(/.test(text)

const namesModule = (statement: ParseResult["program"]["body"][number]): boolean =>
  "source" in statement && statement.source !== null

const pathOf = (from: string, specifier: string): string => {
  const [, name = "", path = ""] = /^@runhook\/([\w-]+)\/(.+)$/.exec(specifier) ?? []
  if (path === "") return join(dirname(from), specifier)
  return join(name === "server" ? "apps/server" : `packages/${name}`, "src", `${path}.ts`)
}

/** The files of the workspace that a file imports, as paths from the root; what else it imports is among them as it is. */
export const filesBehind = (file: string, text: string): ReadonlySet<string> =>
  new Set(importsOf(file, text).map(({ specifier }) => pathOf(file, specifier ?? "")))
