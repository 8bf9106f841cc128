/// What a move or a removal would do, found by reading alone. Nothing happens before it is confirmed.
struct ScopePlan: Sendable, Equatable {
  /// What is to be done; nothing where every device is left out.
  let job: ScopeJob?
  /// In the destination already.
  let alreadyThere: [String]
  /// The destination, where it would have more devices then than a scope may have.
  let overfilled: PrestageReference?
  /// In no PreStage: there is nothing to move or remove.
  let unassigned: [String]

  /// - Parameters:
  ///   - serials: normalised.
  ///   - destination: nothing for a removal.
  ///   - scopes: those of all PreStages, as they were read just now.
  init(
    serials: [String], destination: PrestageReference?,
    scopes: [(prestage: PrestageReference, scope: PrestageScope)]
  ) {
    var parts: [(prestage: PrestageReference, serials: [String])] = []
    let there = scopes.first { $0.prestage.id == destination?.id }?.scope
    var open = Set(serials)
    alreadyThere = serials.filter { there?.contains($0) ?? false }
    open.subtract(alreadyThere)
    for (prestage, scope) in scopes where prestage.id != destination?.id {
      let found = open.filter(scope.contains)
      guard !found.isEmpty else { continue }
      open.subtract(found)
      parts.append((prestage, found.sorted()))
    }
    unassigned = open.sorted()
    let count = (there?.serials.count ?? 0) + parts.reduce(0) { $0 + $1.serials.count }
    overfilled = parts.isEmpty || count <= PrestageScope.limit ? nil : destination
    parts.sort { ($0.prestage.id.utf8.count, $0.prestage.id) < ($1.prestage.id.utf8.count, $1.prestage.id) }
    job =
      parts.isEmpty
      ? nil
      : ScopeJob(
        sources: parts.map { ScopeJob.Part(prestage: $0.prestage, serials: $0.serials) },
        destination: destination)
  }
}
