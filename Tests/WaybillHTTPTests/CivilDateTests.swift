import Testing
import WaybillSystem

@Suite("Calendar dates")
struct CivilDateTests {
    @Test(
        "A date and its number of days since 1970 convert to each other",
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2001, 1, 1, 11_323),
            (1900, 2, 28, -25_509), (1900, 3, 1, -25_508), (0, 1, 1, -719_528), (0, 2, 29, -719_469),
            (-1, 12, 31, -719_529), (-400, 3, 1, -865_565), (9999, 12, 31, 2_932_896),
        ]
    )
    func days(year: Int, month: Int, day: Int, count: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(date.isValid)
        #expect(date.daysSince1970 == count)
        #expect(CivilDate(daysSince1970: count) == date)
    }

    @Test("Over 400 years, consecutive valid dates have consecutive day numbers")
    func cycle() {
        var days = CivilDate(year: 1799, month: 12, day: 31).daysSince1970
        var failures = 0
        for year in 1800..<2200 {
            for month in 1...12 {
                for day in 1...31 where CivilDate(year: year, month: month, day: day).isValid {
                    days += 1
                    let date = CivilDate(year: year, month: month, day: day)
                    if date.daysSince1970 != days || CivilDate(daysSince1970: days) != date { failures += 1 }
                }
            }
        }
        #expect(failures == 0)
        #expect(days == CivilDate(year: 2199, month: 12, day: 31).daysSince1970)
    }

    @Test(
        "A date that is not in the calendar is invalid",
        arguments: [
            (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 2, 29), (1900, 2, 29),
            (2000, 2, 30),
        ]
    )
    func invalid(year: Int, month: Int, day: Int) {
        #expect(!CivilDate(year: year, month: month, day: day).isValid)
    }

    @Test("A month is recognized only by its abbreviation, case-insensitively")
    func months() {
        #expect(CivilDate.month(named: "jan".utf8) == 1)
        #expect(CivilDate.month(named: "Nov".utf8) == 11)
        #expect(CivilDate.month(named: "DEC".utf8) == 12)
        for text in ["", "No", "Nove", "n0v", "foo"] { #expect(CivilDate.month(named: text.utf8) == nil) }
        #expect(CivilDate(year: 1994, month: 11, day: 6).monthName == "Nov")
    }

    @Test("Weekdays are consecutive before and after 1970")
    func weekdays() {
        let names = (-4...3).map { CivilDate.weekdayName(daysSince1970: $0) }
        #expect(names == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    }
}
