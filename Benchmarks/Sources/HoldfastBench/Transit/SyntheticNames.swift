/// The words from which the names of a synthetic feed are made.
enum SyntheticNames {
  static let starts = [
    "Ash", "Bank", "Beacon", "Birch", "Black", "Brook", "Castle", "Cherry", "Clare", "Copper",
    "Cran",
    "Dale", "Elm", "Fair", "Fern", "Glen", "Gold", "Green", "Hazel", "Heath", "High", "Holly",
    "Iron",
    "King", "Lake", "Lark", "Maple", "Marsh", "Mill", "Moor", "North", "Oak", "Pine", "Quarry",
    "Red",
    "River", "Rose", "Sand", "Silver", "South", "Stan", "Stone", "Thorn", "Under", "West", "White",
    "Willow", "Wind", "Wood", "York",
  ]

  static let ends = [
    "brook", "bury", "by", "combe", "cote", "dale", "field", "ford", "gate", "ham", "haven", "hill",
    "hurst", "lands", "leigh", "mere", "minster", "mouth", "park", "pool", "port", "stead", "stoke",
    "ton", "vale", "view", "ville", "wick", "wood", "worth",
  ]

  static let sides = [
    "", "East", "Great", "Little", "Lower", "Mount", "New", "Old", "Outer", "Upper", "West",
  ]

  static let streets = [
    "Albert St", "Alfred St", "Anzac Pde", "Archer Rd", "Balmoral Ave", "Bathurst St", "Bay Rd",
    "Bridge St", "Burwood Rd", "Campbell Pde", "Canterbury Rd", "Carlton Cres", "Church St",
    "Cleveland St", "College St", "Cross St", "Crown St", "Darling Dr", "Derby Ln", "Elizabeth St",
    "Epping Rd", "Falcon St", "Forest Rd", "Garden St", "George St", "Gordon Ave", "Grand Pde",
    "Harbour Way", "Harris St", "High St", "Hope Tce", "Illawarra Rd", "Jersey Rd", "Johnston St",
    "Kent St", "King St", "Lansdowne Pde", "Liverpool Rd", "Lyons Rd", "Macquarie St", "Market Pl",
    "Military Rd", "Miller St", "Mona Vale Rd", "Norton St", "Old South Head Rd", "Oxford St",
    "Pacific Hwy", "Park Rd", "Parramatta Rd", "Pitt St", "Pittwater Rd", "Princes Hwy", "Queen St",
    "Railway Pde", "Regent St", "River Rd", "Rocky Point Rd", "School Ln", "Spit Rd", "Station St",
    "Sussex St", "The Boulevarde", "The Esplanade", "Union St", "Victoria Ave", "Victoria Rd",
    "Walker St", "Wattle Gr", "Wentworth Ave", "Wharf Rd", "William St", "Windsor Rd",
    "Woodville Rd",
    "York St",
  ]
}
