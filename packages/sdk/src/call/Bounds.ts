/** Numbers that another server gives. They may be anything, so they are used within bounds alone. */

export interface Bounds {
  readonly least: number
  readonly most: number
  /** Stands for what is no number. */
  readonly otherwise: number
}

export const bounded = (value: unknown, { least, most, otherwise }: Bounds): number =>
  typeof value === "number" && !Number.isNaN(value) ? Math.min(most, Math.max(least, value)) : otherwise
