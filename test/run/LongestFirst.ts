/**
 * Begins with the files that take longest, so that no run ends with one processor at work. Vitest knows how long a file
 * took where it ran before; in a fresh clone it goes by sizes, and some of the longest are the smallest.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that take a minute or more. Those that work all the time stand between those that wait most of it, since several
 * at once would only keep each other beyond their limits of time.
 */
export const longest: ReadonlyArray<string> = [
  "test/packages.test.ts",
  "apps/server/test/pages/Pages.test.ts",
  "packages/store-pg/test/plans/Plans.test.ts",
  "apps/server/test/workers/Stop.test.ts",
  "apps/server/test/backup/Backup.test.ts",
  "apps/server/test/console/ManyDeliveries.test.ts",
  "apps/server/test/durability/Faults.test.ts",
  "apps/server/test/CommandsPage.test.ts",
  "apps/server/test/durability/Returns.test.ts",
  "apps/server/test/Commands.test.ts",
  "packages/http/test/documented/Documents.test.ts",
  "apps/server/test/base-url/BaseUrlPath.test.ts",
  "apps/server/test/Shipped.test.ts",
  "bench/test/Quick.test.ts",
  "test/examples.test.ts",
  "packages/sdk/test/python/Guide.test.ts",
  "packages/store-pg/test/PgStore.test.ts"
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
  return place === -1 ? longest.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: ReadonlyArray<TestSpecification>): Promise<Array<TestSpecification>> {
    const byProject = Map.groupBy(await super.sort([...files]), ({ project }) => project.name)
    return [...byProject.values()].flatMap((ofOne) =>
      ofOne.toSorted((one, other) => placeOf(one) - placeOf(other))
    )
  }
}
