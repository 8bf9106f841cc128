import Testing

@testable import JamfSimulator

@Suite struct ListTests {
  private static let computers = Fleet(seed: 3, computers: 250, mobileDevices: 0).computers

  private func sorted(_ orders: String...) throws -> [Computer] {
    try SortOrder(orders, fields: ComputerFields.table).sorted(Self.computers)
  }

  @Test("a list is ordered by each field in turn, up or down, texts without regard to case") func order()
    throws
  {
    #expect(
      try sorted("general.name:asc").map { $0.name.lowercased() }
        == Self.computers.map { $0.name.lowercased() }.sorted())
    #expect(try sorted("id:desc").map(\.number) == Array((1...250).reversed()))
    #expect(try sorted("id").map(\.number) == Array(1...250))
    #expect(try sorted().map(\.number) == Array(1...250))
    let byModel = try sorted("hardware.model:asc,id:desc")
    #expect(try sorted("hardware.model:asc", "id:desc").map(\.number) == byModel.map(\.number))
    for (left, right) in zip(byModel, byModel.dropFirst()) {
      #expect(left.model.name.lowercased() <= right.model.name.lowercased())
      if left.model.name == right.model.name { #expect(left.number > right.number) }
    }
  }

  @Test("a list is made anew for another question and after a change of a device, and else once") func known()
    throws
  {
    var fleet = Fleet(seed: 3, computers: 2, mobileDevices: 2)
    var made = 0
    func ask(_ question: String...) throws -> Int {
      let (computers, mobileDevices) = (fleet.computers, fleet.mobileDevices)
      _ = try fleet.computerList.records(for: question) {
        made += 1
        return computers
      }
      _ = try fleet.mobileDeviceList.records(for: question) {
        made += 1
        return mobileDevices
      }
      return made
    }
    #expect(try [ask("sort", "id"), ask("sort", "id"), ask("sort", "id", "filter", "id==1")] == [2, 2, 4])
    fleet.computers[1].lastReport += 1
    #expect(try ask("sort", "id", "filter", "id==1") == 5)
    fleet.mobileDevices[0].number = 7
    #expect(try ask("sort", "id", "filter", "id==1") == 6)
  }

  @Test("values that were never reported come first, and last from behind") func absentFirst() throws {
    let up = try sorted("userAndLocation.realname:asc")
    let nameless = Self.computers.filter { $0.user == nil }.count
    #expect(nameless > 0)
    #expect(up.prefix(nameless).allSatisfy { $0.user == nil })
    #expect(try sorted("userAndLocation.realname:desc").suffix(nameless).allSatisfy { $0.user == nil })
  }

  @Test(
    "an order of what is no field or direction is refused",
    arguments: [
      "nothing:asc", "general.name:up", "general.name:asc:desc", "hardware.serialNumber:asc", ":asc",
    ])
  func refused(order: String) {
    #expect(throws: SortFault(part: order)) { try SortOrder<Computer>([order], fields: ComputerFields.table) }
  }

  @Test("an order has a bound") func bound() {
    let many = Array(repeating: "id:asc", count: 9).joined(separator: ",")
    #expect(throws: SortFault.self) { try SortOrder<Computer>([many], fields: ComputerFields.table) }
  }

  @Test("pages cover a list without gap or repetition, and are empty beyond it") func pages() {
    let list = Array(1...250)
    let all = (0..<4).flatMap { Page(index: $0, size: 100).slice(list) }
    #expect(all == list)
    #expect(Page(index: 2, size: 100).slice(list).count == 50)
    #expect(Page(index: 3, size: 100).slice(list).isEmpty)
    #expect(Page(index: Int.max, size: 2_000).slice(list).isEmpty)
    #expect(Page(index: -1, size: 10).slice(list).isEmpty)
  }
}

@Suite struct PrestageTests {
  private var book = PrestageBook(
    names: ["First", "Second"], devices: [("A", 1), ("B", 2), ("C", nil)], unboxed: ["X", "Y"], date: 0)

  private func serials(_ number: Int) -> [String] {
    book[number]?.scope.assignments.map(\.serialNumber) ?? []
  }

  @Test("a scope starts with its devices and those still boxed, unchanged so far") func start() {
    #expect(serials(1) == ["A", "X"])
    #expect(serials(2) == ["B", "Y"])
    #expect(book[1]?.scope.versionLock == 0)
    #expect(book[3] == nil)
  }

  @Test("a change with the lock it has seen is made, and moves the lock") mutating func change() throws {
    try book.add(["C"], to: 1, lock: 0, by: "me", now: 5)
    #expect(serials(1) == ["A", "X", "C"])
    #expect(book[1]?.scope.assignments.last == .init(serialNumber: "C", date: 5, user: "me"))
    try book.remove(["A", "X"], from: 1, lock: 1)
    #expect(serials(1) == ["C"])
    #expect(book[1]?.scope.versionLock == 2)
    #expect(book[2]?.scope.versionLock == 0)
  }

  @Test("a change is refused where it is outdated, taken or unknown, and nothing moves")
  mutating func refused() {
    let before = book.prestages
    #expect(throws: PrestageScope.Refusal.outdated(current: 0)) {
      try book.add(["C"], to: 1, lock: 1, by: "", now: 0)
    }
    #expect(throws: PrestageScope.Refusal.outdated(current: 0)) { try book.remove(["A"], from: 1, lock: 3) }
    #expect(throws: PrestageScope.Refusal.alreadyScoped(["B"])) {
      try book.add(["C", "B"], to: 1, lock: 0, by: "", now: 0)
    }
    #expect(throws: PrestageScope.Refusal.unknownSerials(["?"])) {
      try book.add(["?"], to: 1, lock: 0, by: "", now: 0)
    }
    #expect(throws: PrestageScope.Refusal.unknownSerials(["B"])) {
      try book.remove(["A", "B"], from: 1, lock: 0)
    }
    #expect(book.prestages == before)
  }
}
