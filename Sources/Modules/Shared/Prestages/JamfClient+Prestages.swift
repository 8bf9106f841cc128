internal import ForsettiModuleKit

// PreStages as one version of the calls gives them; whoever asks chooses which versions to try.
extension JamfClient {
  /// All PreStages, in Jamf's order. Part of them is as good as none: a device that is looked for in some of them alone would
  /// pass for one that is in none.
  func prestages(_ endpoint: JamfEndpoint) async throws(JamfFailure) -> [PrestageReference] {
    var found: [PrestageReference] = []
    try await pages(endpoint.path(), pageSize: 100) { (page) throws(JamfFailure) in
      found += page.items.compactMap { PrestageReference($0) }
      guard found.count <= PrestageReference.limit else { throw .beyondLimit(.prestages) }
      return true
    }
    return found
  }

  /// Who is in a PreStage. A scope has no pages: Jamf Pro gives it in one answer, and how long that may be is the policy's to
  /// say.
  func scope(of prestage: PrestageReference, _ endpoint: JamfEndpoint) async throws(JamfFailure)
    -> PrestageScope
  {
    let answer: JSONValue
    do throws(JamfFailure) { answer = try await whole(endpoint.path(prestage.id)) } catch .tooLarge {
      throw .beyondLimit(.scope(prestage.name))
    }
    guard let scope = PrestageScope(answer) else {
      throw .unreadable("the scope of \(prestage.name) has no list of serial numbers.")
    }
    return scope
  }
}
