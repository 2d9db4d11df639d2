//! Ranks on a grid.

use crate::error::WorkloadError;

/// The most nearly equal factors of `ranks`, largest first (as MPI_Dims_create does).
///
/// For each dimension except the last, takes the largest divisor that is not larger than the root.
#[must_use]
pub fn balanced_grid<const DIMENSIONS: usize>(ranks: u32) -> [u32; DIMENSIONS] {
    let mut grid = [1; DIMENSIONS];
    let mut rest = ranks;
    for left in (2..=DIMENSIONS).rev() {
        let small_enough = |side: u32| u64::from(side).checked_pow(left as u32).is_some_and(|all| all <= rest.into());
        let side = (1..=rest).take_while(|&side| small_enough(side)).filter(|side| rest.is_multiple_of(*side)).last();
        grid[left - 1] = side.unwrap_or(1);
        rest /= grid[left - 1];
    }
    grid[0] = rest;
    grid
}

/// The requested grid, or a balanced one.
pub(crate) fn chosen<const DIMENSIONS: usize>(asked: Option<[u32; DIMENSIONS]>, ranks: u32) -> [u32; DIMENSIONS] {
    asked.unwrap_or_else(|| balanced_grid(ranks))
}

/// Checks that a grid has as many places as there are ranks.
pub(crate) fn check<const DIMENSIONS: usize>(
    workload: &'static str,
    asked: Option<[u32; DIMENSIONS]>,
    ranks: u32,
) -> Result<(), WorkloadError> {
    let grid = chosen(asked, ranks);
    let product = grid.iter().fold(1_u64, |product, &side| product.saturating_mul(u64::from(side)));
    if product == u64::from(ranks) {
        return Ok(());
    }
    let grid = grid.map(|side| side.to_string()).join(" x ");
    Err(WorkloadError::Grid { workload, grid, product, found: ranks })
}

/// The coordinates of `rank`; the first one varies fastest.
pub(crate) fn coordinates<const DIMENSIONS: usize>(rank: u32, grid: [u32; DIMENSIONS]) -> [u32; DIMENSIONS] {
    let mut rest = rank;
    grid.map(|side| {
        let coordinate = rest % side;
        rest /= side;
        coordinate
    })
}

/// The rank one step away in each direction of `offsets` (-1, 0 or 1 each). None beyond the edge:
/// grids are not periodic.
pub(crate) fn neighbour<const DIMENSIONS: usize>(
    rank: u32,
    grid: [u32; DIMENSIONS],
    offsets: [i32; DIMENSIONS],
) -> Option<u32> {
    let place = coordinates(rank, grid);
    let mut stride = 1;
    let mut other = 0;
    for dimension in 0..DIMENSIONS {
        let moved = place[dimension].checked_add_signed(offsets[dimension])?;
        if moved >= grid[dimension] {
            return None;
        }
        other += moved * stride;
        stride *= grid[dimension];
    }
    Some(other)
}

/// The next rank along a dimension of a periodic grid. None if that is the rank itself.
pub(crate) fn around<const DIMENSIONS: usize>(
    rank: u32,
    grid: [u32; DIMENSIONS],
    dimension: usize,
    forwards: bool,
) -> Option<u32> {
    let side = grid[dimension];
    if side == 1 {
        return None;
    }
    let stride: u32 = grid[..dimension].iter().product();
    let at = rank / stride % side;
    let next = if forwards { (at + 1) % side } else { (at + side - 1) % side };
    Some(rank - at * stride + next * stride)
}

/// Directions to neighbours in three dimensions, including the middle one, which has no neighbour.
pub(crate) const DIRECTIONS: u32 = 27;

/// A direction by its number, below [`DIRECTIONS`].
pub(crate) fn direction(number: u32) -> [i32; 3] {
    [number % 3, number / 3 % 3, number / 9].map(|digit| digit as i32 - 1)
}

/// The number of a direction.
pub(crate) fn number(offsets: [i32; 3]) -> u32 {
    let [x, y, z] = offsets.map(|offset| (offset + 1) as u32);
    x + 3 * y + 9 * z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periodic_neighbours_come_back_and_a_side_of_one_has_none() {
        let grid = [3, 2, 1, 4];
        for rank in 0..24 {
            for dimension in 0..4 {
                let next = around(rank, grid, dimension, true);
                assert_eq!(next.is_none(), dimension == 2);
                assert_eq!(next.and_then(|next| around(next, grid, dimension, false)), next.map(|_| rank));
                let mut at = rank;
                (0..grid[dimension]).for_each(|_| at = around(at, grid, dimension, true).unwrap_or(at));
                assert_eq!(at, rank, "once round");
            }
        }
        assert_eq!(balanced_grid::<4>(1_024), [8, 8, 4, 4]);
        assert_eq!(balanced_grid::<4>(16), [2, 2, 2, 2]);
        assert_eq!(balanced_grid::<4>(13), [13, 1, 1, 1]);
    }

    #[test]
    fn balanced_grids_are_as_cubic_as_the_number_allows() {
        assert_eq!(balanced_grid::<3>(64), [4, 4, 4]);
        assert_eq!(balanced_grid::<3>(1_024), [16, 8, 8]);
        assert_eq!(balanced_grid::<3>(7), [7, 1, 1]);
        assert_eq!(balanced_grid::<2>(12), [4, 3]);
        assert_eq!(balanced_grid::<2>(1), [1, 1]);
    }

    #[test]
    fn neighbours_are_mutual_and_end_at_the_edge() {
        let grid = [3, 2, 2];
        for rank in 0..12 {
            for offsets in [[1, 0, 0], [0, -1, 0], [1, 1, -1]] {
                if let Some(other) = neighbour(rank, grid, offsets) {
                    assert_eq!(neighbour(other, grid, offsets.map(|offset| -offset)), Some(rank));
                }
            }
        }
        assert_eq!(neighbour(2, grid, [1, 0, 0]), None);
        assert_eq!(neighbour(0, grid, [0, 0, 1]), Some(6));
    }
}
