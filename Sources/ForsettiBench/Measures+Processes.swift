extension Measure {
  static let activation = Measure(
    name: "activation", unit: "ms",
    series: [
      Series(name: "fork + exec, static C", source: .floor("spawn")),
      Series(name: "bwrap --unshare-all", source: .floor("spawn_bwrap")),
      Series(name: "spawn, lock, describe, start", source: .ours(Crew(rests: true), "activation")),
      Series(
        name: "the same, with two calls in its start", source: .ours(Crew(idle: 1), "activation_answering")),
    ],
    verdicts: [
      Verdict(
        title: "activation / fork + exec", over: ("spawn, lock, describe, start", "fork + exec, static C"),
        bar: .atMost(4), reach: 3),
      Verdict(
        title: "activation / bwrap", over: ("spawn, lock, describe, start", "bwrap --unshare-all"),
        bar: .atMost(0.5), reach: 0.4),
    ])

  static let filter = Measure(
    name: "filter", unit: "ns",
    series: [
      Series(name: "a message written and read back", source: .floor("calls_plain")),
      Series(name: "the same, filtered", source: .filtered("calls_plain")),
      Series(name: "getrandom", source: .floor("calls_compared")),
      Series(name: "getrandom, filtered", source: .filtered("calls_compared")),
    ],
    verdicts: [
      Verdict(
        title: "write and read, inside / outside",
        over: ("the same, filtered", "a message written and read back"), bar: .atMost(1.25), reach: 1.05),
      Verdict(
        title: "getrandom, inside / outside", over: ("getrandom, filtered", "getrandom"), bar: .atMost(1.5),
        reach: 1.2),
    ])

  static let recovery = Measure(
    name: "recovery", unit: "ms",
    series: [
      Series(name: "crash to open calls failed", source: .ours(still, "crash_calls")),
      Series(name: "crash to active again, no backoff", source: .ours(Crew(idle: 1), "crash_active")),
      Series(name: "crash to report on disk", source: .ours(Crew(idle: 1), "crash_report")),
    ],
    verdicts: [
      Verdict(
        title: "open calls failed, ms", over: ("crash to open calls failed", nil), bar: .atMost(5), reach: 1),
      Verdict(
        title: "active again, ms", over: ("crash to active again, no backoff", nil), bar: .atMost(20),
        reach: 5),
      Verdict(
        title: "report on disk, ms", over: ("crash to report on disk", nil), bar: .atMost(50), reach: 10),
    ])

  static let storm = Measure(
    name: "storm", unit: "µs that one call in a hundred, 1 ms apart, takes longer than",
    series: [
      Series(name: "blocking ping-pong, C", source: .floor("slow_ping_pong")),
      Series(name: "beside 200 crashes a second, C", source: .floor("storm")),
      Series(name: "host service", source: .ours(Crew(idle: Worker.crashing), "slow_call")),
      Series(
        name: "beside 200 crashes a second", source: .ours(Crew(idle: Worker.crashing), "storm")),
    ],
    verdicts: [
      Verdict(
        title: "in the storm / quiet", over: ("beside 200 crashes a second", "host service"),
        bar: .atMost(3), reach: 2)
    ])

  static let idleMemory = Measure(
    name: "idle_memory", unit: "KiB",
    series: [
      Series(name: "static C, PSS of one of ten", source: .floor("idle"), isRepeated: false),
      Series(name: "ours, PSS of one of ten", source: .ours(Crew(idle: 10), "pss"), isRepeated: false),
    ],
    verdicts: [])

  static let scale = Measure(
    name: "scale", unit: "KiB, or % of a core",
    series: [10, 100, 1000].flatMap { count in
      [
        Series(
          name: "supervisor's memory, \(count) modules", source: .ours(Crew(idle: count), "memory"),
          isRepeated: false),
        Series(
          name: "supervisor's CPU, \(count) modules", source: .ours(Crew(idle: count), "cpu"),
          isRepeated: false),
      ]
    },
    verdicts: [
      Verdict(
        title: "supervisor memory per idle module, KiB",
        over: ("supervisor's memory, 1000 modules", "supervisor's memory, 10 modules"), bar: .atMost(100),
        reach: 32, perUnit: 990),
      Verdict(
        title: "supervisor CPU with 1,000 idle modules, %", over: ("supervisor's CPU, 1000 modules", nil),
        bar: .atMost(1), reach: 0),
    ])
}
