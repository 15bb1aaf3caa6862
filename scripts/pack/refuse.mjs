/** What `npm pack` and `npm publish` run in the folder of a package, which holds sources for this workspace alone. */
console.error(
  "This folder runs from its sources. `npm run pack`, in the root of the repository, builds and packs it: see CONTRIBUTING.md."
)
process.exit(1)
