/** Logs whose items are numbered, and that are read as they grow. */
import type { Request } from "./Request.ts"

export interface Numbered {
  readonly sequence: number
}

export interface FollowFields {
  /** Begins after the item of this number; with the first unless given. */
  readonly after?: number | undefined
}

export interface Follow<Item extends Numbered, Options = unknown> extends FollowFields {
  /** What comes after a number; waits for it if there is nothing yet. */
  readonly look: Request<{ readonly data: ReadonlyArray<Item> }, Options>
  isLast(item: Item): boolean
  /** Whose log it is, where the items do not say that they are the last: once that is finished, nothing is added. */
  readonly owner?: Request<{ readonly status: string }, Options>
}

/** Where the first look begins: with the item that the caller has, which may be the last. */
export const seenFrom = ({ after = 0 }: FollowFields): number => Math.max(0, after - 1)

/** What a look has found for the caller, where the next one begins, and whether there is none. */
export const seenIn = <Item extends Numbered>(
  data: ReadonlyArray<Item>,
  { after = 0, isLast, position }: Follow<Item> & { readonly position: number }
) => {
  const last = data.at(-1)
  return {
    fresh: data.filter(({ sequence }) => sequence > after),
    isOver: last !== undefined && isLast(last),
    position: last?.sequence ?? position
  }
}
