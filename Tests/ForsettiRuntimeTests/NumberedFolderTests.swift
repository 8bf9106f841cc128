import ForsettiBlocking
import Glibc
import Testing

@Suite("Numbered folders of /proc") struct NumberedFolderTests {
  @Test("every descriptor is told of, be they more than one look has room for", arguments: [1, 300, 700])
  func all(count: Int) throws {
    let folder = try NumberedFolder("/proc/self/fd")
    let opened = (0..<count).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
    defer { for number in opened { close(number) } }
    try #require(opened.allSatisfy { $0 >= 0 })
    let numbers = try folder.numbers()
    #expect(Set(numbers).isSuperset(of: opened))
    #expect(Set(numbers).count == numbers.count)
  }

  @Test("a process that is not there is an error")
  func gone() throws {
    #expect(throws: SystemError("open /proc/0/task", ENOENT)) { _ = try NumberedFolder("/proc/0/task") }
  }
}
