/** Makes `npm pack` and `npm publish` fail in the folder of a package, whose sources only run in this workspace. */
console.error(
  "This folder runs from its sources. `npm run pack`, in the root of the repository, builds and packs it: see CONTRIBUTING.md."
)
process.exit(1)
