import ForsettiCore

// Breaking the protocol, or lying in it.
extension HostileSuite {
  static let storage = IORequirement("calls", .storage, .readWrite, required: true)

  static let conversation: [HostileCase] = [
    HostileCase(
      "garbage-frames", "sends bytes that are no frame", program: "send_garbage",
      .ends(.protocolError("kind 99 is unknown"))),
    HostileCase(
      "half-a-frame", "ends in the middle of a frame", program: "send_half_a_frame",
      .ends(.protocolError("bytes into a frame"))),
    HostileCase(
      "huge-length", "announces a frame of 4 GiB", program: "send_huge_length",
      .ends(.protocolError("a body of 4294967295 bytes"))),
    HostileCase(
      "wrong-call-id", "answers a call that nobody made", program: "send_wrong_call_id",
      .ends(.protocolError("is not open"))),
    HostileCase(
      "call-id-twice", "uses the ID of an open call again", program: "send_call_id_twice",
      .ends(.protocolError("twice")), needs: [storage]),
    HostileCase(
      "deep-cbor", "sends values nested a thousand deep", program: "send_deep_cbor",
      .ends(.protocolError("nesting deeper"))),
    HostileCase(
      "forged-source", "calls in a neighbour's name", program: "send_forged_source",
      .ends(.protocolError("wrote a source"))),
    HostileCase(
      "foreign-frame", "sends a frame that only a supervisor sends", program: "send_foreign_frame",
      .ends(.protocolError("only a supervisor sends"))),
    HostileCase(
      "contributions-change", "describes itself anew, with contributions it did not declare",
      program: "send_description_again", .ends(.protocolError("sent describe while active"))),
    HostileCase(
      "started-twice", "says a second time that it has started", program: "send_started_again",
      .ends(.protocolError("sent started while active"))),
    HostileCase(
      "stolen-id", "says that it is a neighbour", program: "steal_id", at: .start,
      .refused(.identityMismatch(field: "descriptor.moduleID"))),
    HostileCase(
      "stolen-role", "declares a role, to be sent what others ask of it", program: "steal_role",
      .survives(saying: "asked 0 times"), role: .security),
    HostileCase(
      "forged-event", "publishes a neighbour's events", program: "publish_forged_events",
      .survives(saying: "published")),
    HostileCase(
      "foreign-message", "writes to a neighbour without the policy's leave", program: "message_neighbour",
      .survives(saying: "moduleCommunicationDenied")),
    HostileCase(
      "sibling-storage", "reads what a neighbour keeps", program: "read_sibling_storage",
      .survives(saying: "ownedStoreIDs\"), and none of its own"), needs: [storage]),
    HostileCase(
      "beyond-access", "writes where its manifest says it reads", program: "calls_beyond_access",
      .survives(saying: ".access"), needs: [IORequirement("calls", .storage, .read, required: true)]),
    HostileCase(
      "without-grant", "calls a service past its kit, without the grant", program: "calls_without_grant",
      .survives(saying: "answered: 1")),
  ]
}
