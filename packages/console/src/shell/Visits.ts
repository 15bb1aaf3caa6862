/** The things that the user opened last, for the palette. In memory only: their names are those of strangers. */
import { Followed } from "../data/Followed.ts"

export interface Visit {
  readonly href: string
  readonly title: string
  /** What it is: `delivery` */
  readonly what: string
}

const visitsMax = 5

export const visits = new Followed<ReadonlyArray<Visit>>([])

export const visit = (one: Visit): void => {
  visits.value = [one, ...visits.value.filter(({ href }) => href !== one.href)].slice(0, visitsMax)
}
