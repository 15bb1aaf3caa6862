/** Faults by which a power cut would take what was acknowledged. */
import type { Fault, NamedTest } from "../Fault.ts"

const upload = "packages/artifacts/src/disk/Upload.ts"
const uploadIsKept: NamedTest = {
  file: "test/durableFiles.test.ts",
  title: "has an upload and its place on the disk before it is acknowledged"
}

const databaseIsKept: NamedTest = {
  file: "packages/embedded-postgres/test/EmbeddedPostgres.test.ts",
  title: "writes through to the disk whatever its configuration says, in the sessions of the stores too"
}

export const keeping: ReadonlyArray<Fault> = [
  {
    name: "upload-synced",
    idea: "a power cut takes the bytes of a file that was acknowledged",
    file: upload,
    before: "      await file.sync()\n",
    after: "",
    test: uploadIsKept
  },
  {
    name: "upload-folder-synced",
    idea: "a power cut takes the name of a file that was acknowledged",
    file: upload,
    before: "      await syncFolder(folder)\n",
    after: "",
    test: uploadIsKept
  },
  {
    name: "upload-parent-synced",
    idea: "a power cut takes the folder of a file that was acknowledged",
    file: upload,
    before: "      await syncFolder(directory)\n",
    after: "",
    test: uploadIsKept
  },
  {
    name: "artifacts-folder-synced",
    idea: "a power cut takes the folder of the artifacts, with all that is in it",
    file: "packages/artifacts/src/disk/Folders.ts",
    before: "  if (isMade) await syncParent(folder)\n",
    after: "",
    test: {
      file: "test/durableFiles.test.ts",
      title: "has the folders of the artifacts on the disk, each in the one above"
    }
  },
  {
    name: "secrets-synced",
    idea: "a power cut takes the secrets that everything is sealed with",
    file: "apps/server/src/settings/OwnerFile.ts",
    before: "  await file.sync()\n",
    after: "",
    test: {
      file: "test/durableFiles.test.ts",
      title: "has secrets and their place on the disk before anybody goes by them"
    }
  },
  {
    name: "folder-synced",
    idea: "a power cut takes the folder of the data, with all that is in it",
    file: "packages/embedded-postgres/src/Folders.ts",
    before: "await syncFolder(dirname(folder)).catch(",
    after: "await Promise.resolve().catch(",
    test: {
      file: "test/durableFiles.test.ts",
      title: "has the folders of the data on the disk, each in the one above"
    }
  },
  {
    name: "database-fsync",
    idea: "a line in the configuration lets the database acknowledge what is not on the disk",
    file: "packages/embedded-postgres/src/PostgresSettings.ts",
    before: '  fsync: "on",\n',
    after: "",
    test: databaseIsKept
  },
  {
    name: "database-commit",
    idea: "a line in the configuration lets the database answer before it has written",
    file: "packages/embedded-postgres/src/PostgresSettings.ts",
    before: '  synchronous_commit: "on",\n',
    after: "",
    test: databaseIsKept
  }
]
