internal import ForsettiModuleKit

// Following orders to their end.
extension SupportDesk {
  /// Whether there is anything to ask for.
  private var hasOpenEnds: Bool {
    journal.operations.contains { $0.followed != nil } || admin.runs.contains(where: \.isOpen)
      || applications.runs.contains(where: \.isOpen)
  }

  /// A Mac's record is asked for so many times more rarely than the state of a command.
  private static let recordsEvery = 3

  /// Asks from time to time, as long as there is anything to ask for.
  func follow() {
    guard followTask == nil, hasOpenEnds else { return }
    followTask = Task { [weak self] in
      var times = 0
      while let self, self.hasOpenEnds {
        do { try await Task.sleep(for: SupportFollower.interval) } catch { break }
        times &+= 1
        await self.look(isTimed: true)
        if times % Self.recordsEvery == 0 { await self.lookAtRecords(alsoLate: false) }
      }
      self?.followTask = nil
    }
  }

  /// Asks at once, for somebody is curious.
  func lookNow() async {
    await look(isTimed: false)
    await lookAtRecords(alsoLate: true)
  }

  private func lookAtRecords(alsoLate: Bool) async {
    await lookAtAdmin()
    await lookAtApplications(alsoLate: alsoLate)
  }

  /// Asks what became of every order that is followed.
  /// - Parameter isTimed: whether a time has passed that the device had to answer; else somebody is curious.
  func look(isTimed: Bool) async {
    let followed = journal.operations.compactMap { operation in
      operation.followed.map { (id: operation.id, uuid: $0) }
    }
    guard !followed.isEmpty else { return }
    var states: [String: CommandRecord] = [:]
    do throws(JamfFailure) {
      states = try await SupportFollower(jamf: jamf).states(of: followed.map(\.uuid))
    } catch {
      change {
        $0.notice = .error("What became of the orders could not be read. \(error.what)", error.advice)
      }
    }
    for (id, uuid) in followed {
      if let record = states[uuid] { await note(.reported(record.bucket, reason: record.reason), of: id) }
      if isTimed { await note(.waited, of: id) }
    }
  }
}
