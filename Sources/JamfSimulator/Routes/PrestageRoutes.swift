import ForsettiCore
import ForsettiHTTP

/// PreStages of both kinds, and who is in them.
enum PrestageRoutes {
  static let all =
    routes(
      1...3, "/computer-prestages", \.computerPrestages, read: .readComputerPrestages,
      update: .updateComputerPrestages)
    + routes(
      1...2, "/mobile-device-prestages", \.mobilePrestages, read: .readMobilePrestages,
      update: .updateMobilePrestages)

  /// Who is in a PreStage: the third version of the lists has no scopes.
  private static let scopeVersions = 1...2

  private typealias Book = any (WritableKeyPath<Fleet, PrestageBook> & Sendable)

  private static func routes(
    _ versions: ClosedRange<Int>, _ path: String, _ book: Book, read: Privilege, update: Privilege
  ) -> [Route] {
    reading(versions, path, book, read)
      + Route.versions(scopeVersions, "POST", "\(path)/{id}/scope", [update]) {
        (tenant, call, _) throws(APIFault) in
        let change = try Change(call)
        return try changed(&tenant, call, book) { (scopes, number) throws(PrestageScope.Refusal) in
          try scopes.add(
            change.serials, to: number, lock: change.lock, by: call.token.account.name, now: call.now)
        }
      }
      + ["DELETE /scope", "POST /scope/delete-multiple"].flatMap { spelling in
        let parts = spelling.split(separator: " ")
        return Route.versions(scopeVersions, String(parts[0]), "\(path)/{id}\(parts[1])", [update]) {
          (tenant, call, _) throws(APIFault) in
          let change = try Change(call)
          return try changed(&tenant, call, book) { (scopes, number) throws(PrestageScope.Refusal) in
            try scopes.remove(change.serials, from: number, lock: change.lock)
          }
        }
      }
  }

  private static func reading(
    _ versions: ClosedRange<Int>, _ path: String, _ book: Book, _ read: Privilege
  ) -> [Route] {
    Route.versions(versions, "GET", path, [read]) { (tenant, call, _) throws(APIFault) in
      try call.list(tenant.fleet[keyPath: book].prestages, summary)
    }
      + Route.versions(versions, "GET", "\(path)/{id}", [read]) { (tenant, call, _) throws(APIFault) in
        .json(summary(try prestage(tenant, call, book)))
      }
      + Route.versions(scopeVersions, "GET", "\(path)/{id}/scope", [read]) {
        (tenant, call, _) throws(APIFault) in
        .json(scope(try prestage(tenant, call, book)))
      }
  }

  private static func prestage(_ tenant: Tenant, _ call: Call, _ book: Book) throws(APIFault) -> Prestage {
    let number = try call.number()
    guard let prestage = tenant.fleet[keyPath: book][number] else {
      throw .notFound("There is no PreStage \(number)")
    }
    return prestage
  }

  /// What a change of a scope says: which serial numbers, and the lock it has seen.
  private struct Change {
    var serials: [String]
    var lock: Int

    init(_ call: Call) throws(APIFault) {
      (serials, lock) = try call.body { (body) throws(JSONFault) in
        (
          try body.required("serialNumbers").strings(),
          Int(try body.required("versionLock").integer(in: 0...Int64(Int32.max)))
        )
      }
    }
  }

  /// Makes a change and answers with the scope as it is then.
  private static func changed(
    _ tenant: inout Tenant, _ call: Call, _ book: Book,
    _ change: (inout PrestageBook, Int) throws(PrestageScope.Refusal) -> Void
  ) throws(APIFault) -> ServerResponse {
    let number = try prestage(tenant, call, book).number
    do throws(PrestageScope.Refusal) { try change(&tenant.fleet[keyPath: book], number) } catch {
      throw fault(error)
    }
    return .json(scope(try prestage(tenant, call, book)))
  }

  private static func fault(_ refusal: PrestageScope.Refusal) -> APIFault {
    switch refusal {
    case .outdated(let current):
      APIFault(
        .conflict, "OPTIMISTIC_LOCK_FAILED", "The scope was changed; its versionLock is \(current)",
        field: "versionLock")
    case .alreadyScoped(let serials):
      APIFault(
        .badRequest, "ALREADY_SCOPED", "In a PreStage already: \(serials.joined(separator: ", "))",
        field: "serialNumbers")
    case .unknownSerials(let serials):
      APIFault(
        .badRequest, "DEVICE_DOES_NOT_EXIST_ON_TOKEN", "Unknown here: \(serials.joined(separator: ", "))",
        field: "serialNumbers")
    }
  }

  private static func summary(_ prestage: Prestage) -> JSONValue {
    .object([
      ("id", RecordJSON.id(prestage.number)), ("displayName", .string(prestage.name)),
      ("profileUuid", .string("00000000-0000-4000-9000-00000000000\(prestage.number % 10)")),
      ("mandatory", .bool(true)), ("mdmRemovable", .bool(false)), ("siteId", .string("-1")),
      ("defaultPrestage", .bool(prestage.number == 1)), ("versionLock", .integer(prestage.versionLock)),
    ])
  }

  private static func scope(_ prestage: Prestage) -> JSONValue {
    .object([
      ("prestageId", RecordJSON.id(prestage.number)),
      (
        "assignments",
        .array(
          prestage.scope.assignments.map {
            .object([
              ("serialNumber", .string($0.serialNumber)), ("assignmentDate", RecordJSON.moment($0.date)),
              ("userAssigned", .string($0.user)),
            ])
          })
      ),
      ("versionLock", .integer(prestage.scope.versionLock)),
    ])
  }
}
