/** Ajv's errors as issues: bounded, and without anything of the value. */
import { issuesMax, type SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import type { ErrorObject } from "ajv"
import { memberOf } from "./JsonTree.ts"

const pathLengthMax = 512
const keywordLengthMax = 100
const messageLengthMax = 300

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`

/** The parameters of an ajv error that name a member, and not merely what it is in. */
const propertyParameters = ["missingProperty", "additionalProperty", "unevaluated", "propertyName"]

const pathOf = ({ instancePath, params, propertyName }: ErrorObject): string => {
  const name: unknown = propertyParameters.map((parameter) => params[parameter]).find(isName) ?? propertyName
  return isName(name) ? memberOf(instancePath, name) : instancePath
}

const isName = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number"

/** The messages that ajv lacks or words badly, by keyword. All others are ajv's own. */
const messages: { readonly [keyword: string]: (params: ErrorObject["params"]) => string } = {
  required: () => "is required",
  dependentRequired: ({ property }) => `is required when ${property} is present`,
  dependencies: ({ property }) => `is required when ${property} is present`,
  additionalProperties: () => "is not a property that the schema knows",
  unevaluatedItems: () => "is not an item that the schema knows",
  unevaluatedProperties: () => "is not a property that the schema knows",
  propertyNames: () => "has a name that the schema does not allow",
  uniqueItems: () => "must not have two equal items",
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  enum: ({ allowedValues }) => `must be one of ${JSON.stringify(allowedValues)}`,
  "false schema": () => "is not allowed"
}

const messageOf = ({ keyword, params, message }: ErrorObject): string =>
  messages[keyword]?.(params) ?? message?.replace("NOT", "not") ?? `breaks ${keyword}`

/** The issue of a value that could not be checked to the end. */
export const exhausted: SchemaIssue = {
  path: "",
  keyword: "effort",
  message: "takes too many steps to be checked against its schema"
}

/** An issue cut to a bounded length. */
export const shortened = ({ path, keyword, message }: SchemaIssue): SchemaIssue => ({
  path: cut(path, pathLengthMax),
  keyword: cut(keyword, keywordLengthMax),
  message: cut(message, messageLengthMax)
})

/**
 * The most errors that are turned into issues: many may be equal, and a message can
 * be long before it is cut.
 */
const errorsReadMax = 4 * issuesMax

/** The first issues of a report, each once. */
export const issuesOf = (errors: ReadonlyArray<ErrorObject>): ReadonlyArray<SchemaIssue> => {
  const issues = new Map<string, SchemaIssue>()
  for (const error of errors.slice(0, errorsReadMax)) {
    const issue = shortened({ path: pathOf(error), keyword: error.keyword, message: messageOf(error) })
    issues.set(JSON.stringify(issue), issue)
    if (issues.size === issuesMax) break
  }
  return Array.from(issues.values())
}
