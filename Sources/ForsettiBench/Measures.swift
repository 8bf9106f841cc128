extension Measure {
  /// Everything, in the order in which it is run.
  static let all: [Measure] =
    [
      call, filter, quiet, provider, pipelined, bulk64K, bulk1M, beside, activation, recovery, storm,
      idleMemory,
      scale,
      allocations,
    ] + [1, 10, 100].map(fanOut)

  private static let floor = "blocking ping-pong of 64 B, C"
  static let still = Crew()
  private static let spinning = Crew(spins: true)

  // MARK: Calls

  private static let call = Measure(
    name: "call", unit: "µs",
    series: [
      Series(name: floor, source: .floor("ping_pong")),
      Series(name: "host service, no spinning", source: .ours(still, "call")),
      Series(name: "host service, adaptive spinning", source: .ours(spinning, "call")),
    ],
    verdicts: [
      Verdict(
        title: "call / floor, no spinning", over: ("host service, no spinning", floor), bar: .atMost(1.3),
        reach: 0.9),
      Verdict(
        title: "call / floor, spinning", over: ("host service, adaptive spinning", floor), bar: .atMost(0.35),
        reach: 0.18),
    ])

  private static let quiet = Measure(
    name: "quiet", unit: "µs of CPU in 0.1 s, from 1 ms after a burst on",
    series: [
      Series(name: "supervisor", source: .ours(spinning, "quiet_supervisor")),
      Series(name: "module", source: .ours(spinning, "quiet_module")),
    ],
    verdicts: [
      Verdict(title: "supervisor", over: ("supervisor", nil), bar: .atMost(0), reach: 0),
      Verdict(title: "module", over: ("module", nil), bar: .atMost(0), reach: 0),
    ])

  private static let provider = Measure(
    name: "provider", unit: "µs",
    series: [
      Series(name: floor, source: .floor("ping_pong")),
      Series(name: "module → provider → back", source: .ours(still, "provider")),
      Series(name: "the same, spinning", source: .ours(spinning, "provider")),
    ],
    verdicts: [
      Verdict(
        title: "provider / floor, no spinning", over: ("module → provider → back", floor), bar: .atMost(3),
        reach: 2.3)
    ])

  private static let pipelined = Measure(
    name: "pipelined", unit: "calls/s",
    series: [
      Series(name: "framed echo, window 64, C", source: .floor("pipelined")),
      Series(name: "64 calls in flight", source: .ours(still, "pipelined")),
      Series(name: "the same, spinning", source: .ours(spinning, "pipelined")),
    ],
    verdicts: [
      Verdict(
        title: "pipelined / C", over: ("64 calls in flight", "framed echo, window 64, C"), bar: .atLeast(0.4),
        reach: 0.75)
    ])

  private static let bulk64K = Measure(
    name: "bulk_64k", unit: "GB/s",
    series: [
      Series(name: "framed echo of 64 KiB, pipes, C", source: .floor("bulk_64k")),
      Series(name: "call with 64 KiB", source: .ours(still, "bulk_64k")),
    ],
    verdicts: [
      Verdict(
        title: "64 KiB / C", over: ("call with 64 KiB", "framed echo of 64 KiB, pipes, C"),
        bar: .atLeast(0.6),
        reach: 0.9)
    ])

  private static let bulk1M = Measure(
    name: "bulk_1m", unit: "GB/s",
    series: [
      Series(name: "framed echo of 1 MiB, socket pair, C", source: .floor("bulk_1m")),
      Series(name: "framed echo of 1 MiB, pipes, C", source: .floor("bulk_1m_pipe")),
      Series(name: "two calls at once, 512 KiB each", source: .ours(still, "bulk_1m")),
    ],
    verdicts: [
      Verdict(
        title: "1 MiB / C over a socket pair",
        over: ("two calls at once, 512 KiB each", "framed echo of 1 MiB, socket pair, C"),
        bar: .atLeast(0.15), reach: 0.6)
    ])

  private static let beside = Measure(
    name: "beside", unit: "µs",
    series: [
      Series(name: "call beside 1 idle module", source: .ours(Crew(idle: 1), "call")),
      Series(name: "call beside 1,000 idle modules", source: .ours(Crew(idle: 1000), "call")),
    ],
    verdicts: [
      Verdict(
        title: "beside 1,000 / beside 1",
        over: ("call beside 1,000 idle modules", "call beside 1 idle module"), bar: .atMost(1.3), reach: 1.05)
    ])

  // MARK: Events

  private static func fanOut(_ subscribers: Int) -> Measure {
    let ours = "module → supervisor → \(subscribers)"
    let zmq = "ZeroMQ pub-sub, 1 → 10"
    var measure = Measure(
      name: "fanout_\(subscribers)", unit: "deliveries/s",
      series: [
        Series(name: "framed, straight to \(subscribers), C", source: .floor("fanout_\(subscribers)")),
        Series(name: ours, source: .ours(Crew(subscribers: subscribers), "events")),
      ],
      verdicts: [])
    if subscribers == 10 {
      measure.series.append(
        Series(name: zmq, source: .peer(program: "zmq", peer: "zmq-ipc", measure: "fanout")))
      measure.verdicts = [
        Verdict(title: "1 → 10 / ZeroMQ", over: (ours, zmq), bar: .atLeast(0.5), reach: 1.5)
      ]
    }
    return measure
  }

  private static let allocations = Measure(
    name: "allocations", unit: "blocks from the heap, counted on the reactor's thread",
    series: [
      Series(
        name: "routed event, 1 subscriber", source: .ours(Crew(subscribers: 1), "event_allocations"),
        isRepeated: false),
      Series(
        name: "routed event, 10 subscribers", source: .ours(Crew(subscribers: 10), "event_allocations"),
        isRepeated: false),
      Series(name: "call", source: .ours(still, "call_allocations"), isRepeated: false),
    ],
    verdicts: [
      Verdict(
        title: "per routed event", over: ("routed event, 10 subscribers", nil), bar: .atMost(4), reach: 0)
    ])
}
