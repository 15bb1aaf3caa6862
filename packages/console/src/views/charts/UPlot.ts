/** The library with its sheet, as one file that is loaded late. */
import "uplot/dist/uPlot.min.css"

export { default as uPlot } from "uplot"
