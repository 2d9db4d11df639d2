//! Ranks on a grid.

use crate::error::WorkloadError;

/// The most nearly equal factors of `ranks`, largest first, as MPI_Dims_create returns them: the
/// largest side is as small as possible, then the next one, and so on.
#[must_use]
pub fn balanced_grid<const DIMENSIONS: usize>(ranks: u32) -> [u32; DIMENSIONS] {
    let is_small = |side: &u32| u64::from(*side).pow(2) <= u64::from(ranks);
    let small: Vec<u32> = (1..=ranks).take_while(is_small).filter(|&side| ranks.is_multiple_of(side)).collect();
    let large = small.iter().rev().map(|side| ranks / side).filter(|side| !small.contains(side));
    let divisors: Vec<u32> = small.iter().copied().chain(large).collect();
    let mut grid = [1; DIMENSIONS];
    if ranks == 0 || !fill(ranks, ranks, &divisors, &mut grid) {
        grid.fill(ranks);
    }
    grid
}

/// Fills in the sides of a grid for `rest` ranks, none above `largest`. Returns whether there are
/// such sides. `divisors`: those of all ranks, in order.
fn fill(rest: u32, largest: u32, divisors: &[u32], grid: &mut [u32]) -> bool {
    let Some((first, others)) = grid.split_first_mut() else { return rest == 1 };
    let left = others.len() as u32 + 1;
    let is_large_enough = |side: u32| u64::from(side).checked_pow(left).is_none_or(|all| all >= rest.into());
    for &side in divisors.iter().filter(|&&side| rest.is_multiple_of(side) && is_large_enough(side)) {
        if side > largest {
            return false;
        }
        *first = side;
        if fill(rest / side, side, divisors, others) {
            return true;
        }
    }
    false
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
        // The third root first, then the square root of the rest, gave 17 x 1 x 4 and 9 x 3 x 4.
        // MPICH 5.0.2's MPI_Dims_create gives the grids below.
        assert_eq!(balanced_grid::<3>(68), [17, 2, 2]);
        assert_eq!(balanced_grid::<3>(108), [6, 6, 3]);
        assert_eq!(balanced_grid::<2>(279_040), [545, 512]);
    }

    #[test]
    fn no_grid_is_more_even() {
        for ranks in 1..=512 {
            let grid = balanced_grid::<3>(ranks);
            assert_eq!(grid.iter().product::<u32>(), ranks);
            let even = |grid: [u32; 3]| grid[0] >= grid[1] && grid[1] >= grid[2];
            assert!(even(grid), "{ranks}: {grid:?}");
            let all = (1..=ranks).flat_map(|x| (1..=ranks / x).map(move |y| [x, y, ranks / x / y]));
            let best = all.filter(|sides| sides.iter().product::<u32>() == ranks && even(*sides)).min();
            assert_eq!(Some(grid), best, "{ranks}");
        }
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
