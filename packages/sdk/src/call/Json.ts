/**
 * The text of a body. A number or date that is none is refused, as all else is that has no JSON: it would arrive as
 * null.
 */
export const jsonText = (body: unknown): string =>
  JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
    const given = this[name]
    if (given instanceof Date ? !value : typeof given === "number" && !isFinite(given))
      throw new TypeError(`${name} is ${given}, which has no JSON`)
    return value
  })
