/** Bounds the work of one validation, for any schema and value. */

/**
 * A budget of steps. Ajv's code cannot be stopped from outside, so the functions it
 * calls spend from here. The `RangeError` they throw is caught where the run was
 * started: it is the same kind of error that a full stack raises.
 */
export class StepBudget {
  #left = 0

  /** Starts a run of at most `steps`. */
  start(steps: number): void {
    this.#left = steps
  }

  readonly spend = (steps: number): void => {
    this.#left -= steps
    if (this.#left < 0) throw new RangeError("The validation takes too many steps")
  }
}
