import ForsettiControlClient

/// Looks at a supervisor again and again.
struct TopFeed: ~Copyable {
  private var client: ControlClient
  private var earlier: FiguresAnswer?

  init(_ client: consuming ControlClient) { self.client = client }

  /// What happened since an earlier look; `nil` when somebody has seen enough before it is known.
  /// - Parameter interval: milliseconds between two looks. One that is asked for sooner, because a terminal has another
  ///   size, is told from the same earlier one: looks too close to each other make no rate.
  mutating func next(
    after interval: Int32, until watch: ControlWatch
  ) throws(CommandFailure) -> TopRates? {
    var modules: [ModuleFiguresItem] = []
    guard
      var figures = try client.call(
        ControlOperations.figures, until: watch,
        item: { (item) throws(CommandFailure) in modules.append(item) })
    else { return nil }
    figures.modules = modules
    let rates = TopRates(from: earlier, to: figures)
    let age = earlier.map { figures.supervisor.uptimeMilliseconds - $0.supervisor.uptimeMilliseconds }
    if age.map({ $0 >= Int(interval) / 2 }) ?? true { earlier = figures }
    return rates
  }
}
