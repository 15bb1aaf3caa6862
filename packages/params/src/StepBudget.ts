/** Bounds the work of one validation, whatever the schema and the value are. */

/**
 * A budget of steps. Ajv's code runs to its end without a way to stop it from outside, so what it
 * calls back spends from here, and the thrown `RangeError` is caught where the run was started:
 * the same kind of error that a full stack raises.
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
