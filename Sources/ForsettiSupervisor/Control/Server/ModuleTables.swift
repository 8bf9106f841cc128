import ForsettiIPC
import ForsettiRuntime

/// The tables of all modules that persons look at for long. One that is asked for by several at once is gone through once.
@ReactorActor final class ModuleTables {
  /// What holds modules and where they stand.
  let overview = ModuleTable<OverviewLine>()
  /// What they do.
  let live = ModuleTable<LiveLine>()

  nonisolated init() {}
}

/// One such table.
@ReactorActor final class ModuleTable<Row: TableRow> {
  /// Nanoseconds that rows are made in one piece: what calls may wait for.
  private static var piece: UInt64 { 40_000 }

  private(set) var rows = RowTable<Row>()
  /// Whose modules they are, and how often those had changed when they were last gone through.
  private weak var manager: ModuleManager?
  private var changes: UInt64 = 0
  private var pass: Task<CBORError?, Never>?

  nonisolated init() {}

  /// Makes the rows that have changed. A pass that is under way is not enough: what changed by now it may have passed.
  /// - Parameters:
  ///   - isSteady: rows show no more than where modules stand, so that they are right as long as that stays.
  ///   - row: what is to be told of a module; `nil` for nothing.
  func update(
    from manager: ModuleManager, isSteady: Bool, row: @escaping @ReactorActor (String) -> Row?
  ) async throws(ControlFailure) {
    _ = await pass?.value
    if isSteady, pass == nil, self.manager === manager, changes == manager.changes { return }
    let task = pass ?? Task(executorPreference: Reactor.shared) { [self] in await goThrough(manager, row) }
    pass = task
    if let error = await task.value { throw ControlFailure(unsendable: error) }
  }

  private func goThrough(
    _ manager: ModuleManager, _ row: @ReactorActor (String) -> Row?
  ) async -> CBORError? {
    defer { pass = nil }
    rows.begin()
    if self.manager !== manager || changes != manager.changes {
      (self.manager, changes) = (manager, manager.changes)
      rows.arrange(manager.moduleIDs)
    }
    var end = ReactorClock.shared.now &+ Self.piece
    for place in rows.ids.indices {
      if ReactorClock.shared.now > end {
        await Reactor.nextTurn()
        end = ReactorClock.shared.now &+ Self.piece
      }
      do throws(CBORError) { try rows.take(row(rows.ids[place]), at: place) } catch {
        // They are all made again.
        self.manager = nil
        return error
      }
    }
    return nil
  }
}
