# The strict policy and three greedy modules by their hashes, whose limits are small.
.bundles = { folder: "/srv/bundles" }
| .rules += [
    { modules: "com.example.greedy-memory", origin: { sha256: $memory }, sandbox: { cgroup: { memoryBytes: 16777216 } } },
    { modules: "com.example.greedy-processor", origin: { sha256: $processor }, sandbox: { cgroup: { cpuPercent: 25 } } },
    { modules: "com.example.greedy-threads", origin: { sha256: $threads },
      sandbox: { direct: ["threads"], limits: { threads: 8 }, cgroup: { tasks: 4 } } }
    | .reason = "Is ended or held by its own cgroup." | .grant = ["storage"] | .restart = { kind: "temporary" }
  ]
